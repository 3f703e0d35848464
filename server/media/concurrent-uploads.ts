import { MatrixError } from '../core/matrix-error.ts';

/** How many uploads of one user may be under way at once: each holds a connection and takes room on the disk. */
const maximumConcurrent = 10;

export type ConcurrentUploads = {
  /**
   * Runs an upload of a user.
   *
   * @throws MatrixError 429 where too many of theirs are under way
   */
  run<Result>(userId: string, upload: () => Promise<Result>): Promise<Result>;
};

/** Counts what is being uploaded, by user. */
export function countUploads(): ConcurrentUploads {
  const underWay = new Map<string, number>();
  return {
    async run(userId, upload) {
      const others = underWay.get(userId) ?? 0;
      if (others >= maximumConcurrent) {
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many uploads at once', { retry_after_ms: 1000 });
      }
      underWay.set(userId, others + 1);
      try {
        return await upload();
      } finally {
        const left = (underWay.get(userId) ?? 0) - 1;
        if (left > 0) underWay.set(userId, left);
        else underWay.delete(userId);
      }
    },
  };
}

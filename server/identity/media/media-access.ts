/** Saves when media were last downloaded, without making a download wait for it. */
import { createWriteBehind, type WriteBehind } from '../../platform/concurrency/write-behind.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Media, touchMedia } from './media-store.ts';

/** Accuracy of the last access time, in milliseconds: not every download is worth a write. */
const precision = 60_000;

export type MediaAccess = Pick<WriteBehind<object>, 'settle' | 'stop'> & {
  note(media: Pick<Media, 'mediaId' | 'lastAccessTs'>): void;
};

export function createMediaAccess({ db, clock, log }: { db: Database; clock: Clock; log: Log }): MediaAccess {
  const accesses = createWriteBehind<{ mediaId: string; time: number }>(
    { clock, log },
    "media: couldn't save last access times",
    async (changes) => {
      for (const { mediaId, time } of changes) await touchMedia(db, mediaId, time);
    },
  );
  return {
    note({ mediaId, lastAccessTs }) {
      const time = clock.now();
      if (lastAccessTs === null || lastAccessTs <= time - precision) accesses.put(mediaId, { mediaId, time });
    },
    settle: accesses.settle,
    stop: accesses.stop,
  };
}

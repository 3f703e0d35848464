/** What a deletion of unused uploads would delete, counted upload by upload: no server tells it beforehand. */
import { isExpected } from '../../api/lenient.ts';
import type { Medium } from '../../api/media.ts';
import { mediaStatistics, type UserMediaOrder, userMediaPage } from '../../api/media.ts';
import type { Unused } from '../../api/media-changes.ts';
import type { Server } from '../../transport/server.ts';

export type UnusedCount = {
  /** How many of how many users are looked through. */
  looked: number;
  users: number;
  uploads: number;
  bytes: number;
  /** Whose they are, the largest share first. */
  by: { userId: string; uploads: number; bytes: number }[];
};

const perPage = 500;

/**
 * Counts what nobody opened since a time, larger than so many bytes. Servers spare what is quarantined or protected;
 * which of it is the picture of a user or a room isn't told, so that those are among it.
 *
 * @param onProgress is told after every user
 */
export async function countUnused(
  server: Server,
  unused: Unused,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: UnusedCount) => void },
): Promise<UnusedCount> {
  const count: UnusedCount = { looked: 0, users: 0, uploads: 0, bytes: 0, by: [] };
  const totals = mediaStatistics(server, { order: 'media_length', dir: 'b' });
  for (let from = 0; ; ) {
    const { rows, total } = await totals.fetch(from, perPage, signal);
    count.users = total;
    if (total === 0) onProgress(count);
    for (const { user_id: userId, media_length: bytes } of rows.filter(isExpected)) {
      signal.throwIfAborted();
      // Who uploaded no more than that in all has nothing larger.
      if (bytes > unused.largerThan) add(count, userId, await unusedOf(server, userId, unused, signal));
      count.looked += 1;
      onProgress({ ...count, by: [...count.by] });
    }
    from += rows.length;
    if (rows.length === 0 || from >= total) break;
  }
  return count;
}

function add(count: UnusedCount, userId: string, found: readonly Medium[]) {
  if (found.length === 0) return;
  const bytes = found.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0);
  count.uploads += found.length;
  count.bytes += bytes;
  count.by.push({ userId, uploads: found.length, bytes });
  count.by.sort((a, b) => b.bytes - a.bytes);
}

/** In an order in which what can't match comes last, and isn't asked for. */
async function unusedOf(
  server: Server,
  userId: string,
  { before, largerThan }: Unused,
  signal: AbortSignal,
): Promise<Medium[]> {
  const [order, dir]: [UserMediaOrder, 'f' | 'b'] =
    largerThan > 0 ? ['media_length', 'b'] : ['created_ts', 'f'];
  const found: Medium[] = [];
  for (let from = 0; ; from += perPage) {
    const { rows } = await userMediaPage(server, userId, { order, dir, from, limit: perPage }, signal);
    const media = rows.filter(isExpected);
    found.push(
      ...media.filter((medium) => isUnused(medium, before) && (medium.media_length ?? 0) > largerThan),
    );
    const last = media.at(-1);
    const isOver =
      rows.length < perPage ||
      (largerThan > 0 ? (last?.media_length ?? Infinity) <= largerThan : (last?.created_ts ?? 0) >= before);
    if (isOver) return found;
  }
}

const isUnused = (medium: Medium, before: number) =>
  !medium.quarantined_by &&
  !medium.safe_from_quarantine &&
  (medium.last_access_ts ?? medium.created_ts ?? Number.POSITIVE_INFINITY) < before;

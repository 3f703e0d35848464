/** Counts the files that a deletion of unused media would delete, one by one: no server can preview it. */
import { isExpected } from '../../api/lenient.ts';
import type { Medium } from '../../api/media.ts';
import { mediaStatistics, type UserMediaOrder, userMediaPage } from '../../api/media.ts';
import type { UnusedFilter } from '../../api/media-changes.ts';
import { pagesOf } from '../../api/paging.ts';
import type { Server } from '../../transport/server.ts';

export type UnusedCount = {
  /** Users scanned, of how many. */
  scanned: number;
  users: number;
  uploads: number;
  bytes: number;
  /** By user, largest first. */
  owners: { userId: string; uploads: number; bytes: number }[];
};

/** Uploaders with media that may be deleted, and the most that can be. */
export type UnusedEstimate = { userIds: string[]; uploads: number; bytes: number };

const pageSize = 500;

/**
 * Returns the uploads from before the date: an upper limit for the deletion, for one request per 500 uploaders. Only
 * the last access is unknown.
 */
export async function estimateUnused(
  server: Server,
  { before, largerThan }: UnusedFilter,
  signal: AbortSignal,
): Promise<UnusedEstimate> {
  const estimate: UnusedEstimate = { userIds: [], uploads: 0, bytes: 0 };
  const totals = mediaStatistics(server, { order: 'media_length', dir: 'b', until: before });
  for await (const { rows } of pagesOf(totals, signal, pageSize)) {
    for (const { user_id: userId, media_count: uploads, media_length: bytes } of rows) {
      // No file can be larger than the user's total.
      if (bytes <= largerThan) return estimate;
      estimate.userIds.push(userId);
      estimate.uploads += uploads;
      estimate.bytes += bytes;
    }
  }
  return estimate;
}

/**
 * Counts unused media. Quarantined and protected files are skipped, like on the server; avatars can't be recognized, so
 * they count.
 *
 * @param onProgress called after each user
 */
export async function countUnused(
  server: Server,
  unused: UnusedFilter,
  userIds: readonly string[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: UnusedCount) => void },
): Promise<UnusedCount> {
  const count: UnusedCount = { scanned: 0, users: userIds.length, uploads: 0, bytes: 0, owners: [] };
  if (userIds.length === 0) onProgress(count);
  for (const userId of userIds) {
    signal.throwIfAborted();
    add(count, userId, await unusedOf(server, userId, unused, signal));
    count.scanned += 1;
    onProgress({ ...count, owners: [...count.owners] });
  }
  return count;
}

function add(count: UnusedCount, userId: string, files: readonly Medium[]) {
  if (files.length === 0) return;
  const bytes = files.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0);
  count.uploads += files.length;
  count.bytes += bytes;
  count.owners.push({ userId, uploads: files.length, bytes });
  count.owners.sort((a, b) => b.bytes - a.bytes);
}

/** Sorted so that files that can't match come last and aren't loaded. */
async function unusedOf(
  server: Server,
  userId: string,
  { before, largerThan }: UnusedFilter,
  signal: AbortSignal,
): Promise<Medium[]> {
  const [order, dir]: [UserMediaOrder, 'f' | 'b'] =
    largerThan > 0 ? ['media_length', 'b'] : ['created_ts', 'f'];
  const files: Medium[] = [];
  for (let from = 0; ; from += pageSize) {
    const { rows } = await userMediaPage(server, userId, { order, dir, from, limit: pageSize }, signal);
    const media = rows.filter(isExpected);
    files.push(
      ...media.filter((medium) => isUnused(medium, before) && (medium.media_length ?? 0) > largerThan),
    );
    const last = media.at(-1);
    const isLastPage =
      rows.length < pageSize ||
      (largerThan > 0 ? (last?.media_length ?? Infinity) <= largerThan : (last?.created_ts ?? 0) >= before);
    if (isLastPage) return files;
  }
}

const isUnused = (medium: Medium, before: number) =>
  !medium.quarantined_by &&
  !medium.safe_from_quarantine &&
  (medium.last_access_ts ?? medium.created_ts ?? Number.POSITIVE_INFINITY) < before;

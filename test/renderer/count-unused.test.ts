/** Counts the files that a clean-up of unused media would delete. */
import { expect, test } from 'vitest';
import type { UnusedCount } from '../../renderer/features/media/count-unused.ts';
import { countUnused, estimateUnused } from '../../renderer/features/media/count-unused.ts';
import { ok, replyingServer } from './replying-server.ts';

type File = { media_length: number | null; created_ts: number; last_access_ts?: number | null };
const file = (media_length: number | null, created_ts: number, more: object = {}): File => ({
  media_length,
  created_ts,
  ...more,
});

/** A server that lists these files by user, in the requested order. */
function serverWith(media: Record<string, File[]>) {
  return replyingServer(({ path }) => {
    const query = new URLSearchParams(path.split('?')[1]);
    const [from, limit] = [Number(query.get('from')), Number(query.get('limit'))];
    if (path.includes('/statistics/users/media')) {
      const users = Object.entries(media)
        .map(([user_id, files]) => ({
          user_id,
          media_count: files.length,
          media_length: files.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0),
        }))
        .sort((one, other) => other.media_length - one.media_length);
      return ok({ users: users.slice(from, from + limit), total: users.length });
    }
    const userId = decodeURIComponent(/users\/([^/]+)\/media/.exec(path)?.[1] ?? '');
    const order = query.get('order_by') as 'media_length' | 'created_ts';
    const sign = query.get('dir') === 'b' ? -1 : 1;
    const files = (media[userId] ?? [])
      .map((each, index) => ({ media_id: `${index}`, ...each }))
      .sort((one, other) => sign * ((one[order] ?? 0) - (other[order] ?? 0)));
    return ok({ media: files.slice(from, from + limit), total: files.length });
  });
}

async function count(media: Record<string, File[]>, options: { before?: number; largerThan?: number } = {}) {
  const { server, requests } = serverWith(media);
  const seen: UnusedCount[] = [];
  const unused = { before: 100, largerThan: 0, keepProfiles: true, ...options };
  const { signal } = new AbortController();
  const result = await countUnused(server, unused, Object.keys(media), {
    signal,
    onProgress: (one) => seen.push(one),
  });
  return { result, seen, requests };
}

test.each<[string, File, boolean]>([
  ['one that was last accessed before', file(5, 1, { last_access_ts: 99 }), true],
  ['one that was accessed at that time', file(5, 1, { last_access_ts: 100 }), false],
  ['one that was uploaded before and never accessed', file(5, 99), true],
  ['one that was uploaded before and never accessed (null)', file(5, 99, { last_access_ts: null }), true],
  ['one that was uploaded later', file(5, 100), false],
  ['a quarantined one', file(5, 1, { quarantined_by: '@m:x' }), false],
  ['a protected one', file(5, 1, { safe_from_quarantine: true }), false],
  ['one that is larger than the limit', file(11, 1), true],
])('the count of %s', async (_, one, expected) => {
  const { result } = await count({ '@a:x': [one] });
  expect(result).toMatchObject(expected ? { uploads: 1, bytes: one.media_length } : { uploads: 0, bytes: 0 });
  expect(result.owners).toHaveLength(expected ? 1 : 0);
});

test('files up to the size limit are not counted', async () => {
  const files = [file(11, 1), file(10, 1), file(null, 1)];
  expect((await count({ '@a:x': files }, { largerThan: 10 })).result).toMatchObject({
    uploads: 1,
    bytes: 11,
  });
  expect((await count({ '@a:x': files })).result).toMatchObject({ uploads: 2, bytes: 21 });
});

test('users are counted one after the other, those with the most bytes first', async () => {
  const { result, seen } = await count({
    '@a:x': [file(1, 1)],
    '@b:x': [],
    '@c:x': [file(2, 1), file(3, 1)],
  });
  expect(result.owners).toEqual([
    { userId: '@c:x', uploads: 2, bytes: 5 },
    { userId: '@a:x', uploads: 1, bytes: 1 },
  ]);
  expect(seen.map(({ scanned, users, bytes }) => [scanned, users, bytes])).toEqual([
    [1, 3, 1],
    [2, 3, 1],
    [3, 3, 6],
  ]);
});

test('without users, the count is shown at once', async () => {
  expect((await count({})).seen).toEqual([{ scanned: 0, users: 0, uploads: 0, bytes: 0, owners: [] }]);
});

test('further pages are loaded until no file can match', async () => {
  const recent = Array.from({ length: 600 }, (_, index) => file(1, index < 550 ? 1 : 200));
  const { result, requests } = await count({ '@a:x': recent });
  expect([result.uploads, requests.length]).toEqual([550, 2]);
  const small = Array.from({ length: 1_200 }, (_, index) => file(index < 300 ? 20 : 5, 1));
  const bySize = await count({ '@a:x': small }, { largerThan: 10 });
  expect([bySize.result.uploads, bySize.requests.length]).toEqual([300, 1]);
});

test('a stopped count ends', async () => {
  const { server } = serverWith({ '@a:x': [file(1, 1)] });
  const abort = new AbortController();
  abort.abort(new Error('stopped'));
  const options = { before: 100, largerThan: 0, keepProfiles: true };
  const counting = countUnused(server, options, ['@a:x'], { signal: abort.signal, onProgress: () => {} });
  await expect(counting).rejects.toThrow('stopped');
});

test('the estimate has only users whose total exceeds the size limit', async () => {
  const { server, requests } = serverWith({
    '@a:x': [file(10, 1)],
    '@b:x': [file(6, 1), file(7, 1)],
    '@c:x': [file(40, 1)],
  });
  const { signal } = new AbortController();
  const estimate = (largerThan: number) =>
    estimateUnused(server, { before: 100, largerThan, keepProfiles: true }, signal);
  expect(await estimate(10)).toEqual({ userIds: ['@c:x', '@b:x'], uploads: 3, bytes: 53 });
  expect(await estimate(0)).toEqual({ userIds: ['@c:x', '@b:x', '@a:x'], uploads: 4, bytes: 63 });
  expect(requests[0]?.path).toContain('until_ts=100');
});

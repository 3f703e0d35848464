/** Purging a room's history: the pending purge, and the preview of the deleted events. */
import { expect, test } from 'vitest';
import {
  eventAtTime,
  maxCounted,
  pendingPurge,
  previewPurge,
  purgeHistory,
} from '../../renderer/api/purge-history.ts';
import type { IncomingReply } from '../../shared/connection.ts';
import { broken, notFound, ok, replyingServer, unrecognized } from './replying-server.ts';

const { signal } = new AbortController();
const task = (id: string, status: string) => ({ id, action: 'purge_history', status, timestamp_ms: 1 });
const tasks = (...statuses: string[]) =>
  ok({ scheduled_tasks: statuses.map((status, index) => task(`${index}`, status)) });

test.each<[string, IncomingReply, string | undefined]>([
  ['a scheduled one', tasks('complete', 'scheduled'), '1'],
  ['a running one', tasks('failed', 'active'), '1'],
  ['the first of several', tasks('active', 'scheduled'), '0'],
  ['none that has ended', tasks('complete', 'failed', 'cancelled'), undefined],
  ['none without tasks', tasks(), undefined],
  ['none if the server lists no tasks', unrecognized, undefined],
])("a room's pending purge is %s", async (_, reply, expected) => {
  const { server, requests } = replyingServer(() => reply);
  expect((await pendingPurge(server, '!r:x', signal))?.id).toBe(expected);
  expect(requests[0]?.path).toContain('action_name=purge_history&resource_id=%21r%3Ax');
});

test('an error of the server is not taken for no pending purge', async () => {
  await expect(pendingPurge(replyingServer(() => broken).server, '!r:x', signal)).rejects.toThrow();
});

test('a purge without events to delete is refused with a reason, other failures with their own', async () => {
  const options = { before: 5, includeLocal: true };
  const { server, requests } = replyingServer(() => ok({ purge_id: 'p' }));
  expect(await purgeHistory(server, '!r:x', options)).toBe('p');
  expect(requests[0]?.body).toEqual({ purge_up_to_ts: 5, delete_local_events: true });
  const refused = (reply: IncomingReply) => purgeHistory(replyingServer(() => reply).server, '!r:x', options);
  await expect(refused(notFound)).rejects.toThrow('Nothing to purge');
  await expect(refused(unrecognized)).rejects.toThrow('Unknown request');
});

test('an event at a time is undefined if there is none', async () => {
  const at = { at: 5, dir: 'f' } as const;
  const found = replyingServer(() => ok({ event_id: '$e', origin_server_ts: 6 }));
  expect(await eventAtTime(found.server, '!r:x', at)).toEqual({ eventId: '$e', sentAt: 6 });
  expect(await eventAtTime(replyingServer(() => notFound).server, '!r:x', at)).toBeUndefined();
  await expect(eventAtTime(replyingServer(() => broken).server, '!r:x', at)).rejects.toThrow();
});

/** Returns the preview of a room with these events before the time. */
function preview(chunk: object[], end?: string, start: string | undefined = 'start') {
  const { server } = replyingServer(({ path }) => {
    if (path.includes('/timestamp_to_event')) return ok({ event_id: '$e', origin_server_ts: 6 });
    if (path.includes('/context/')) return ok(start === '' ? {} : { end: start });
    return ok({ chunk, ...(end && { end }) });
  });
  return previewPurge(server, '!r:x', 7, signal);
}

test('the preview counts messages, those of local users, and state', async () => {
  const events = [
    { sender: '@a:x' },
    { sender: '@a:y' },
    { sender: '@a:not-x' },
    { sender: 5 },
    { sender: '@a:x', state_key: '' },
  ];
  const counts = { events: 4, localEvents: 1, stateEvents: 1, hasMore: false, latest: 6 };
  expect(await preview(events)).toEqual(counts);
  // A short page is the last one, whatever its token.
  expect(await preview(events, 'more')).toEqual(counts);
});

test('the preview says that there are more only if a full page has a next one', async () => {
  const full = Array.from({ length: maxCounted }, () => ({ sender: '@a:y' }));
  expect(await preview(full, 'more')).toMatchObject({ events: maxCounted, hasMore: true });
  expect(await preview(full)).toMatchObject({ events: maxCounted, hasMore: false });
  expect(await preview(full.slice(1), 'more')).toMatchObject({ events: maxCounted - 1, hasMore: false });
});

test('the preview of no event is empty, and of one without a position incomplete', async () => {
  const { server } = replyingServer(() => notFound);
  expect(await previewPurge(server, '!r:x', 7, signal)).toEqual({
    events: 0,
    localEvents: 0,
    stateEvents: 0,
    hasMore: false,
    latest: undefined,
  });
  expect(await preview([], undefined, '')).toMatchObject({ events: 1, hasMore: true, latest: 6 });
});

/** Counts of a user's invites and joins, and experimental features. */
import { afterEach, expect, test, vi } from 'vitest';
import { featuresQuery, membershipCountsQuery, setFeature } from '../../renderer/api/user-signals.ts';
import { consoleQueryClient } from '../../renderer/query-client.ts';
import type { IncomingReply } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import { broken, ok, replyingServer, unrecognized } from './replying-server.ts';

afterEach(() => void vi.useRealTimers());

const day = 86_400_000;
const counts = (invites: IncomingReply, joins: IncomingReply) =>
  replyingServer(({ path }) => (path.includes('sent_invite_count') ? invites : joins));
const since = ({ path }: PageRequest) => Number(new URLSearchParams(path.split('?')[1]).get('from_ts'));

test('invites and joins are counted over the last 30 days', async () => {
  vi.useFakeTimers({ now: 100 * day, toFake: ['Date'] });
  const { server, requests } = counts(ok({ invite_count: 3 }), ok({ cumulative_joined_room_count: 5 }));
  const client = consoleQueryClient();
  expect(await client.fetchQuery(membershipCountsQuery(server, '@a:x'))).toEqual({ invites: 3, joins: 5 });
  expect(requests.map(since)).toEqual([70 * day, 70 * day]);
});

test('a count that the server lacks is left out, and not requested again', async () => {
  const { server, requests } = counts(unrecognized, ok({ cumulative_joined_room_count: 5 }));
  const client = consoleQueryClient();
  for (const userId of ['@a:x', '@b:x'])
    expect(await client.fetchQuery(membershipCountsQuery(server, userId))).toEqual({
      invites: undefined,
      joins: 5,
    });
  expect(requests.filter(({ path }) => path.includes('sent_invite_count'))).toHaveLength(1);
});

test('a failed count fails both', async () => {
  const { server } = counts(broken, ok({ cumulative_joined_room_count: 5 }));
  const query = { ...membershipCountsQuery(server, '@a:x'), retry: false };
  await expect(consoleQueryClient().fetchQuery(query)).rejects.toThrow();
});

test('features are null if the server has none per user, and one is switched alone', async () => {
  const client = consoleQueryClient();
  expect(
    await client.fetchQuery(featuresQuery(replyingServer(() => unrecognized).server, '@a:x')),
  ).toBeNull();
  const { server, requests } = replyingServer(() => ok({}));
  await setFeature(server, '@a:x', 'msc3881', true);
  expect(requests[0]).toMatchObject({ method: 'PUT', body: { features: { msc3881: true } } });
});

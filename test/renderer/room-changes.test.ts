/** Error messages for rejected room changes, with a remedy. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { roomAddresses } from '../../renderer/actions/catalogue/room-addresses.ts';
import { editsOf } from '../../renderer/api/redactions.ts';
import { joinUserToRoom, setBlocked, setPublished } from '../../renderer/api/room-changes.ts';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import type { Connection, IncomingReply } from '../../shared/connection.ts';
import { ok, replyingServer } from './replying-server.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const connection: Connection = {
  id: 'c',
  baseUrl: 'https://x',
  dialect: 'matrix',
  userId: '@root:x',
  local: false,
};

/** Returns a server that rejects all changes. */
function refusing(error: string) {
  const request = async (_id: string, { method }: { method: string }): Promise<IncomingReply> =>
    method === 'GET'
      ? { status: 200, body: { visibility: 'private' } }
      : { status: 403, body: { errcode: 'M_FORBIDDEN', error } };
  const host = { request } as unknown as Parameters<typeof connectedServers>[0];
  const reachability = { track: (_id: string, send: () => unknown) => send() };
  return connectedServers(host, reachability as never, {} as DeviceStorage).of(connection);
}

test('publishing names the setting that forbids it', async () => {
  await expect(setPublished(refusing('Not allowed to publish room'), '!r:x', true)).rejects.toThrow(
    'room_list_publication_rules forbids this',
  );
  await expect(setPublished(refusing('You are blocked'), '!r:x', true)).rejects.toThrow('You are blocked');
});

test.each([
  ['public', true],
  ['private', false],
])('publishing and unpublishing a %s room return whether it was published', async (visibility, expected) => {
  for (const published of [true, false]) {
    const { server, requests } = replyingServer(({ method }) => ok(method === 'GET' ? { visibility } : {}));
    expect(await setPublished(server, '!r:x', published)).toBe(expected);
    expect(requests[1]).toMatchObject({
      method: 'PUT',
      body: { visibility: published ? 'public' : 'private' },
    });
  }
});

test.each([true, false])(
  'blocking and unblocking return whether it was blocked before: %s',
  async (block) => {
    for (const to of [true, false]) {
      const { server, requests } = replyingServer(({ method }) =>
        ok({ block: method === 'GET' ? block : to }),
      );
      expect(await setBlocked(server, '!r:x', to)).toBe(block);
      expect(requests[1]).toMatchObject({ method: 'PUT', body: { block: to } });
    }
  },
);

test.each([
  ['1.125.0', 'Synapse', false],
  ['1.126.0', 'Synapse', true],
  // Admins of the built-in homeserver may always publish.
  ['1.161.0', 'Gatehouse', false],
])('the panel for publishing on %s %s warns of the default: %s', async (server_version, name, warns) => {
  const server = {
    get: async () => ({ server_version }),
    getChat: async () => ({ server: { name, version: server_version } }),
  } as unknown as Server;
  const publish = roomAddresses.find(({ id }) => id === 'publish-room');
  const room = { kind: 'room', roomId: '!r:x' } as const;
  const { sentences } =
    (await publish?.forecast?.(server, room, { reason: '', fields: {} }, new AbortController().signal)) ?? {};
  expect(sentences?.map((sentence) => sentence.includes('room_list_publication_rules'))).toEqual(
    warns ? [true] : [],
  );
});

test('joining a user to a private room explains how to get the right to invite', async () => {
  await expect(joinUserToRoom(refusing('@root:x not in room !r:x'), '!r:x', '@a:x')).rejects.toThrow(
    'Retry with “Make me room admin if needed”',
  );
  await expect(joinUserToRoom(refusing('@a:x is banned'), '!r:x', '@a:x')).rejects.toThrow('banned');
});

test('the edits of an event are read page by page, without those of others', async () => {
  const edit = (event_id: string, sender: string) => ({ event_id, sender });
  const server = {
    get: async () => ({
      event: { sender: '@ada:x', unsigned: { 'm.relations': { 'm.replace': { event_id: '$last' } } } },
    }),
    getChat: async (_: unknown, path: string) =>
      path.includes('from=more')
        ? { chunk: [edit('$first', '@ada:x')] }
        : { chunk: [edit('$second', '@ada:x'), edit('$forged', '@mallory:x')], next_batch: 'more' },
  } as unknown as Server;
  const edits = await editsOf(server, { roomId: '!r:x', eventId: '$e' });
  expect([...edits]).toEqual(['$last', '$second', '$first']);
});

/** Waiting for news of one room by the client API's `sync`, where a server has it. */
import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';

const WhoAmI = Type.Object({ device_id: Type.Optional(Type.String()) });
const Device = Type.Object({ display_name: Type.Optional(Type.Unknown()) });
const SyncReply = Type.Object({
  next_batch: Type.String(),
  rooms: Type.Optional(Type.Object({ join: Type.Optional(Dictionary(Type.Unknown())) })),
});

const none = { types: [] };
const filterFor = (roomId: string) => ({
  presence: none,
  account_data: none,
  room: { rooms: [roomId], account_data: none, ephemeral: none, state: none, timeline: { limit: 1 } },
});

/**
 * Whether this session's device is the console's own. With a token that was taken over from a chat client it is
 * that client's, and to sync would take away the messages that are meant for it, keys among them.
 */
export async function isOwnDevice(server: Server, signal: AbortSignal): Promise<boolean> {
  const { device_id } = await server.getChat(WhoAmI, '/client/v3/account/whoami', { signal });
  if (device_id === undefined) return false;
  const path = `/client/v3/devices/${encodeURIComponent(device_id)}`;
  const { display_name } = await server.getChat(Device, path, { signal });
  return display_name === 'Gatehouse';
}

/** Waits until something happens in the room, or for some time; `since` is where the last wait ended. */
export async function waitForNews(
  server: Server,
  roomId: string,
  { since, timeoutMs }: { since: string | undefined; timeoutMs: number },
  signal: AbortSignal,
): Promise<{ since: string; news: boolean }> {
  const parameters = [
    `filter=${encodeURIComponent(JSON.stringify(filterFor(roomId)))}`,
    `timeout=${since === undefined ? 0 : timeoutMs}`,
    'set_presence=offline',
    ...(since === undefined ? [] : [`since=${encodeURIComponent(since)}`]),
  ];
  const reply = await server.getChat(SyncReply, `/client/v3/sync?${parameters.join('&')}`, {
    signal,
    patient: true,
  });
  return { since: reply.next_batch, news: Object.hasOwn(reply.rooms?.join ?? {}, roomId) };
}

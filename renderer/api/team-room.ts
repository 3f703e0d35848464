/**
 * Finds, creates, reads and writes the team room, by the client and the admin API. `shared/team/` defines its content.
 */
import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import {
  isAdmin,
  MessagesPage,
  messagesPath,
  type Page,
  type PageQuery,
  pageOf,
  type RoomEvent,
  RoomState,
  RoomSummary,
  UserRights,
} from '../../shared/team/room-replies.ts';
import { NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';
import { masAccount, masAdministrators } from './mas/mas.ts';

const UserPage = Type.Object({
  users: Type.Array(Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Number()]) })),
  next_token: Type.Optional(Type.String()),
});

const PowerLevels = Type.Object(
  { users: Type.Optional(Dictionary(Type.Number())) },
  { additionalProperties: true },
);

const RoomId = Type.Object({ room_id: Type.String() });
const EventId = Type.Object({ event_id: Type.String() });
const AnyObject = Type.Object({});
const Content = Dictionary(Type.Unknown());

const segment = encodeURIComponent;
const nothing = body(AnyObject, {});

/** Sanity cap. */
const maxAdministrators = 10_000;

/** Returns the user IDs of all server admins; may read the whole user list. */
export async function listAdministrators(server: Server, signal: AbortSignal): Promise<Set<string>> {
  if (server.mas) return new Set(await masAdministrators(server, signal));
  const administrators = new Set<string>();
  let from = '0';
  for (;;) {
    // Servers without the filter at least sort admins first.
    const page = await server.get(
      UserPage,
      `/v2/users?admins=true&guests=false&deactivated=false&order_by=admin&dir=b&limit=500&from=${segment(from)}`,
      { signal },
    );
    const before = administrators.size;
    for (const { name, admin } of page.users) if (admin) administrators.add(name);
    // Stops if the server repeats itself.
    const isProgress = administrators.size > before && administrators.size < maxAdministrators;
    if (page.next_token === undefined || !page.users.at(-1)?.admin || !isProgress) return administrators;
    from = page.next_token;
  }
}

export async function isAdministrator(server: Server, userId: string, signal: AbortSignal): Promise<boolean> {
  // Only admins can sign in here.
  if (userId === server.connection.userId) return true;
  const account = await masAccount(server, userId, signal).catch(() => undefined);
  if (account) return account.admin && !account.deactivated && !account.locked;
  const user = await server.get(UserRights, `/v2/users/${segment(userId)}`, { signal }).catch(orUndefined);
  return user !== undefined && isAdmin(user);
}

export const findAlias = (server: Server, alias: string, signal: AbortSignal): Promise<string | undefined> =>
  server
    .getChat(RoomId, `/client/v3/directory/room/${segment(alias)}`, { signal })
    .then(({ room_id }) => room_id)
    .catch(orUndefined);

export const removeAlias = (server: Server, alias: string) =>
  server.sendChat('DELETE', AnyObject, `/client/v3/directory/room/${segment(alias)}`);

/** Returns a room as admins see it, or undefined. */
export const roomSummary = (server: Server, roomId: string, signal: AbortSignal) =>
  server.get(RoomSummary, `/v1/rooms/${segment(roomId)}`, { signal }).catch(orUndefined);

export const roomState = async (
  server: Server,
  roomId: string,
  signal: AbortSignal,
): Promise<RoomEvent[]> => {
  const reply = await server.get(RoomState, `/v1/rooms/${segment(roomId)}/state`, { signal });
  return reply.state;
};

export const createRoom = async (server: Server, request: Record<string, unknown>): Promise<string> => {
  const reply = await server.sendChat('POST', RoomId, '/client/v3/createRoom', {
    body: body(Content, request),
  });
  return reply.room_id;
};

export const joinRoom = (server: Server, roomId: string) =>
  server.sendChat('POST', RoomId, `/client/v3/join/${segment(roomId)}`, { body: nothing });

/** Makes the server invite this admin, in the name of a member with permission. */
export const inviteSelf = (server: Server, roomId: string) =>
  server.send('POST', AnyObject, `/v1/rooms/${segment(roomId)}/make_room_admin`, {
    body: body(Content, { user_id: server.connection.userId }),
  });

/** Drops the power level that `inviteSelf` granted. */
export async function dropPowerLevel(server: Server, roomId: string) {
  const path = `/client/v3/rooms/${segment(roomId)}/state/m.room.power_levels`;
  const levels = await server.getChat(PowerLevels, path);
  const { [server.connection.userId]: ownLevel, ...users } = levels.users ?? {};
  if (ownLevel === undefined) return;
  await server.sendChat('PUT', EventId, path, { body: body(Content, { ...levels, users }) });
}

export const changeMembership = (
  server: Server,
  roomId: string,
  change: 'invite' | 'kick',
  userId: string,
  signal?: AbortSignal,
) =>
  server.sendChat('POST', AnyObject, `/client/v3/rooms/${segment(roomId)}/${change}`, {
    body: body(Content, { user_id: userId }),
    signal,
  });

/** Sends an event; `transactionId` is the idempotency key. */
export async function sendEvent(
  server: Server,
  roomId: string,
  event: { type: string; content: Record<string, unknown>; transactionId: string },
  signal?: AbortSignal,
): Promise<string> {
  const path = `/client/v3/rooms/${segment(roomId)}/send/${segment(event.type)}/${segment(event.transactionId)}`;
  return (await server.sendChat('PUT', EventId, path, { body: body(Content, event.content), signal }))
    .event_id;
}

export const roomMessages = async (
  server: Server,
  roomId: string,
  query: PageQuery,
  signal: AbortSignal,
): Promise<Page> => pageOf(await server.getChat(MessagesPage, messagesPath(roomId, query), { signal }));

const accountDataPath = ({ connection }: Server, type: string) =>
  `/client/v3/user/${segment(connection.userId)}/account_data/${segment(type)}`;

/** Reads account data of the signed-in user, or undefined. */
export const readAccountData = (server: Server, type: string, signal?: AbortSignal) =>
  server.getChat(Content, accountDataPath(server, type), { signal }).catch(orUndefined);

export const writeAccountData = (server: Server, type: string, content: Record<string, unknown>) =>
  server.sendChat('PUT', AnyObject, accountDataPath(server, type), { body: body(Content, content) });

function orUndefined(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

// Long-polls one room by the client API's `sync`.

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
 * Whether the session's device is the console's own. A token taken over from a chat client belongs to that client's
 * device, and syncing it would consume its to-device messages, such as room keys.
 */
export async function isOwnDevice(server: Server, signal: AbortSignal): Promise<boolean> {
  const { device_id } = await server.getChat(WhoAmI, '/client/v3/account/whoami', { signal });
  if (device_id === undefined) return false;
  const path = `/client/v3/devices/${encodeURIComponent(device_id)}`;
  const { display_name } = await server.getChat(Device, path, { signal });
  return display_name === 'Gatehouse';
}

/** Waits for an event in the room or a timeout; `since` is the previous result's. */
export async function waitForEvents(
  server: Server,
  roomId: string,
  { since, timeoutMs }: { since: string | undefined; timeoutMs: number },
  signal: AbortSignal,
): Promise<{ since: string; hasEvents: boolean }> {
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
  return { since: reply.next_batch, hasEvents: Object.hasOwn(reply.rooms?.join ?? {}, roomId) };
}

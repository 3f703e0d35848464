/**
 * A room that the administrators share: how it is found, made, read and written, in the client API and in the
 * administration API. What is in it is `renderer/team/`'s.
 */
import { type Static, Type } from 'typebox';
import { Dictionary, Nullable } from '../../shared/api/common.ts';
import { NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';
import { masAccount, masAdministrators } from './mas.ts';

/** What a room's events look like whoever sent them: nothing in them is to be relied on. */
const RoomEvent = Type.Object({
  type: Type.String(),
  sender: Type.String(),
  event_id: Type.String(),
  origin_server_ts: Type.Number(),
  state_key: Type.Optional(Type.String()),
  content: Type.Unknown(),
  redacts: Type.Optional(Type.Unknown()),
  unsigned: Type.Optional(Type.Unknown()),
});
export type RoomEvent = Static<typeof RoomEvent>;

const MessagesPage = Type.Object({
  chunk: Type.Array(RoomEvent),
  start: Type.String(),
  end: Type.Optional(Nullable(Type.String())),
});

const UserPage = Type.Object({
  users: Type.Array(Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Number()]) })),
  next_token: Type.Optional(Type.String()),
});

const Flag = Type.Union([Type.Boolean(), Type.Number()]);
const UserRights = Type.Object({
  admin: Flag,
  deactivated: Type.Optional(Flag),
  locked: Type.Optional(Flag),
});

const RoomSummary = Type.Object({
  room_type: Type.Optional(Nullable(Type.String())),
  join_rules: Type.Optional(Nullable(Type.String())),
  joined_members: Type.Integer(),
  creator: Type.Optional(Nullable(Type.String())),
});
export type RoomSummary = Static<typeof RoomSummary>;

const PowerLevels = Type.Object(
  { users: Type.Optional(Dictionary(Type.Number())) },
  { additionalProperties: true },
);

const RoomId = Type.Object({ room_id: Type.String() });
const EventId = Type.Object({ event_id: Type.String() });
const Anything = Type.Object({});
const Content = Dictionary(Type.Unknown());

const part = encodeURIComponent;
const nothing = body(Anything, {});

/** No server has more: whoever names more is not believed. */
const mostAdministrators = 10_000;

/** The user ids of all who administer the server, for which it may read all its users. */
export async function listAdministrators(server: Server, signal: AbortSignal): Promise<Set<string>> {
  if (server.mas) return new Set(await masAdministrators(server, signal));
  const administrators = new Set<string>();
  let from = '0';
  for (;;) {
    // A server that doesn't know the filter sorts them to the front at least.
    const page = await server.get(
      UserPage,
      `/v2/users?admins=true&guests=false&deactivated=false&order_by=admin&dir=b&limit=500&from=${part(from)}`,
      { signal },
    );
    const before = administrators.size;
    for (const { name, admin } of page.users) if (admin) administrators.add(name);
    // A server that goes on about the same ones would be asked for ever.
    const isNews = administrators.size > before && administrators.size < mostAdministrators;
    if (page.next_token === undefined || !page.users.at(-1)?.admin || !isNews) return administrators;
    from = page.next_token;
  }
}

/** Whether this user administers the server. */
export async function isAdministrator(server: Server, userId: string, signal: AbortSignal): Promise<boolean> {
  // Nobody else can sign in here.
  if (userId === server.connection.userId) return true;
  const account = await masAccount(server, userId, signal).catch(() => undefined);
  if (account) return account.admin && !account.deactivated && !account.locked;
  const user = await server.get(UserRights, `/v2/users/${part(userId)}`, { signal }).catch(orUndefined);
  return user !== undefined && Boolean(user.admin) && !user.deactivated && !user.locked;
}

export const findAlias = (server: Server, alias: string, signal: AbortSignal): Promise<string | undefined> =>
  server
    .getChat(RoomId, `/client/v3/directory/room/${part(alias)}`, { signal })
    .then(({ room_id }) => room_id)
    .catch(orUndefined);

export const removeAlias = (server: Server, alias: string) =>
  server.sendChat('DELETE', Anything, `/client/v3/directory/room/${part(alias)}`);

/** A room as an administrator sees it from the outside, or undefined where there is none. */
export const roomSummary = (server: Server, roomId: string, signal: AbortSignal) =>
  server.get(RoomSummary, `/v1/rooms/${part(roomId)}`, { signal }).catch(orUndefined);

export const roomState = async (
  server: Server,
  roomId: string,
  signal: AbortSignal,
): Promise<RoomEvent[]> => {
  const reply = await server.get(
    Type.Object({ state: Type.Array(RoomEvent) }),
    `/v1/rooms/${part(roomId)}/state`,
    { signal },
  );
  return reply.state;
};

export const createRoom = async (server: Server, request: Record<string, unknown>): Promise<string> => {
  const reply = await server.sendChat('POST', RoomId, '/client/v3/createRoom', {
    body: body(Content, request),
  });
  return reply.room_id;
};

export const joinRoom = (server: Server, roomId: string) =>
  server.sendChat('POST', RoomId, `/client/v3/join/${part(roomId)}`, { body: nothing });

/** Has the server invite this administrator in the name of someone who may. */
export const inviteSelf = (server: Server, roomId: string) =>
  server.send('POST', Anything, `/v1/rooms/${part(roomId)}/make_room_admin`, {
    body: body(Content, { user_id: server.connection.userId }),
  });

/** Gives up the power that came with an invitation by the server. */
export async function giveUpPower(server: Server, roomId: string) {
  const path = `/client/v3/rooms/${part(roomId)}/state/m.room.power_levels`;
  const levels = await server.getChat(PowerLevels, path);
  const { [server.connection.userId]: mine, ...users } = levels.users ?? {};
  if (mine === undefined) return;
  await server.sendChat('PUT', EventId, path, { body: body(Content, { ...levels, users }) });
}

export const changeMembership = (
  server: Server,
  roomId: string,
  change: 'invite' | 'kick',
  userId: string,
  signal?: AbortSignal,
) =>
  server.sendChat('POST', Anything, `/client/v3/rooms/${part(roomId)}/${change}`, {
    body: body(Content, { user_id: userId }),
    ...(signal && { signal }),
  });

/** Sends an event; the same transaction id again is the same event. */
export async function sendEvent(
  server: Server,
  roomId: string,
  event: { type: string; content: Record<string, unknown>; transactionId: string },
  signal: AbortSignal,
): Promise<string> {
  const path = `/client/v3/rooms/${part(roomId)}/send/${part(event.type)}/${part(event.transactionId)}`;
  return (await server.sendChat('PUT', EventId, path, { body: body(Content, event.content), signal }))
    .event_id;
}

export type Page = { events: RoomEvent[]; start: string; end: string | undefined };

/** A page of a room's events, from a token on, or from the newest one back. */
export async function roomMessages(
  server: Server,
  roomId: string,
  query: { dir: 'b' | 'f'; from?: string; limit: number; filter: unknown },
  signal: AbortSignal,
): Promise<Page> {
  const parameters = [
    `dir=${query.dir}`,
    `limit=${query.limit}`,
    `filter=${part(JSON.stringify(query.filter))}`,
    ...(query.from === undefined ? [] : [`from=${part(query.from)}`]),
  ];
  const path = `/client/v3/rooms/${part(roomId)}/messages?${parameters.join('&')}`;
  const { chunk, start, end } = await server.getChat(MessagesPage, path, { signal });
  return { events: chunk, start, end: end ?? undefined };
}

const accountData = ({ connection }: Server, type: string) =>
  `/client/v3/user/${part(connection.userId)}/account_data/${part(type)}`;

/** What this user's consoles have noted down for each other, or undefined. */
export const readNote = (server: Server, type: string, signal: AbortSignal) =>
  server.getChat(Content, accountData(server, type), { signal }).catch(orUndefined);

export const writeNote = (server: Server, type: string, content: Record<string, unknown>) =>
  server.sendChat('PUT', Anything, accountData(server, type), { body: body(Content, content) });

function orUndefined(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

// Waiting for news of one room by the client API's `sync`, where a server has it.

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

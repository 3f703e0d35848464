/** Replies of the client and admin APIs for finding and reading the team room. */
import { type Static, Type } from 'typebox';
import { Nullable } from '../api/common.ts';

/** Any member may send these: content is untrusted. */
export const RoomEvent = Type.Object({
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

export const RoomState = Type.Object({ state: Type.Array(RoomEvent) });

export const MessagesPage = Type.Object({
  chunk: Type.Array(RoomEvent),
  start: Type.String(),
  end: Type.Optional(Nullable(Type.String())),
});

/** A page of events. `end` is undefined if there are no more. */
export type Page = { events: RoomEvent[]; start: string; end: string | undefined };

export const pageOf = ({ chunk, start, end }: Static<typeof MessagesPage>): Page => ({
  events: chunk,
  start,
  end: end ?? undefined,
});

/** From a token, or back from the newest event. */
export type PageQuery = { dir: 'b' | 'f'; from?: string; limit: number; filter: unknown };

export const messagesPath = (roomId: string, { dir, from, limit, filter }: PageQuery): string => {
  const parameters = [
    `dir=${dir}`,
    `limit=${limit}`,
    `filter=${encodeURIComponent(JSON.stringify(filter))}`,
    ...(from === undefined ? [] : [`from=${encodeURIComponent(from)}`]),
  ];
  return `/client/v3/rooms/${encodeURIComponent(roomId)}/messages?${parameters.join('&')}`;
};

/** A room as admins see it. */
export const RoomSummary = Type.Object({
  room_type: Type.Optional(Nullable(Type.String())),
  join_rules: Type.Optional(Nullable(Type.String())),
  joined_members: Type.Integer(),
  creator: Type.Optional(Nullable(Type.String())),
});
export type RoomSummary = Static<typeof RoomSummary>;

const Flag = Type.Union([Type.Boolean(), Type.Number()]);
export const UserRights = Type.Object({
  admin: Flag,
  deactivated: Type.Optional(Flag),
  locked: Type.Optional(Flag),
});

export const isAdmin = ({ admin, deactivated, locked }: Static<typeof UserRights>): boolean =>
  Boolean(admin) && !deactivated && !locked;

/** The alerts that were sent, stored in the account data of the watchers' account: watchers survive restarts and take turns. */
import { type Static, Type } from 'typebox';
import { expectReply } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { reportKinds } from '../../../shared/team/entries.ts';
import type { WatchedServer } from './watched-server.ts';

const accountDataType = 'io.gatehouse.watch';

/** Report IDs up to which alerts were sent. Urgent ones can be ahead of the others. */
const Cursor = Type.Object({ all: Type.Integer(), urgent: Type.Integer() });
export type Cursor = Static<typeof Cursor>;

/**
 * Position up to which a room was read. `after`: the last event read, if the server had no token for the position after
 * it.
 */
export const TeamPosition = Type.Object({
  roomId: Type.String(),
  from: Type.String(),
  after: Type.Optional(Type.String()),
});
export type TeamPosition = Static<typeof TeamPosition>;

/** Content of the next alert that isn't urgent. `entry`: ID of the event that caused it. */
export const TeamBacklog = Type.Object({
  reopened: Type.Array(
    Type.Object({
      of: Type.Enum([...reportKinds]),
      id: Type.Integer(),
      by: Type.String(),
      entry: Type.String(),
    }),
  ),
  /** Scheduled actions. */
  failed: Type.Array(Type.Object({ line: Type.String(), entry: Type.String() })),
  /** Keys of late scheduled actions with a sent alert. */
  late: Type.Array(Type.String()),
});
export type TeamBacklog = Static<typeof TeamBacklog>;
export const emptyBacklog: TeamBacklog = { reopened: [], failed: [], late: [] };

export const WatchState = Type.Object({
  /** The active watcher, until a time in milliseconds since the Unix epoch. */
  watcher: Type.String(),
  until: Type.Integer(),
  event: Cursor,
  user: Cursor,
  room: Cursor,
  /** IDs of failed tasks with a sent alert that the server still lists. */
  failedTasks: Type.Array(Type.String()),
  /** When a non-urgent alert was last sent. */
  toldAt: Type.Integer(),
  /** Position in the team room up to which alerts were sent. */
  team: Type.Optional(Type.Object({ position: TeamPosition, backlog: TeamBacklog })),
});
export type WatchState = Static<typeof WatchState>;

const pathOf = ({ dialect, userId }: WatchedServer) =>
  `${dialect.chat}/client/v3/user/${encodeURIComponent(userId)}/account_data/${accountDataType}`;

/** Returns undefined before the first round, or if another version wrote it. @throws ConnectionFailure */
export async function readState(server: WatchedServer): Promise<WatchState | undefined> {
  const reply = await server.request('GET', pathOf(server));
  if (reply.status === 404) return undefined;
  const state = expectReply(Type.Unknown(), reply);
  return fits(WatchState, state) ? state : undefined;
}

/** @throws ConnectionFailure */
export async function writeState(server: WatchedServer, state: WatchState): Promise<void> {
  expectReply(Type.Unknown(), await server.request('PUT', pathOf(server), state));
}

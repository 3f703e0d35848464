/** Finds the team room, offers to create or join it, and runs sessions in it. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { type Mark, reportKinds } from '../../shared/team/entries.ts';
import {
  aliasOf,
  roomFound as asFound,
  type LostRoom,
  type RoomSearch,
} from '../../shared/team/find-room.ts';
import type { TeamLog } from '../../shared/team/log.ts';
import type { RoomEntry } from '../../shared/team/room-events.ts';
import type { TeamRoom } from '../../shared/team/room-trust.ts';
import { adminLookup } from '../../shared/team/room-trust.ts';
import { changeMembership, findAlias, isAdministrator, listAdministrators } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import type { Outbox, OutboxEntry } from './outbox.ts';
import { copiedDocuments, copiedMarks } from './outbox.ts';
import type { Presence } from './presence.ts';
import { createTeamRoom, findRoom, joinTeamRoom } from './room-finder.ts';
import { roomHistory } from './room-history.ts';
import { runRoomSession } from './room-session.ts';
import { createWakeup } from './wakeup.ts';

export type RoomStatus =
  | { is: 'connecting' }
  /** No room yet. `takenBy` created another room with its alias; `lost` describes the former team room. */
  | { is: 'absent'; takenBy: string | undefined; lost: LostRoom | undefined }
  /** The user can join it. */
  | { is: 'offered'; room: TeamRoom }
  /** `complete`: all of it has been read. */
  | { is: 'open'; room: TeamRoom; complete: boolean }
  /** The server lacks endpoints. */
  | { is: 'unsupported' }
  | { is: 'offline' | 'failed'; why: Error };

/** Interval while there is no room. Looking up the alias is cheap. */
const aliasPollMs = 10_000;
const recheckMs = 60_000;
const joinRetryMs = 2_000;
const retryDelaysMs = [2_000, 5_000, 15_000, 30_000];
/** A session that lasted longer resets the backoff. */
const backoffResetMs = 60_000;

export type RoomConnection = ReturnType<typeof connectRoom>;

type Parts = {
  log: TeamLog;
  outbox: Outbox;
  presence: Presence;
  onStatus(status: RoomStatus): void;
  onChange(): void;
  /** Called once the cache of an earlier session has been read. */
  onRestored(): void;
  onSent(entry: OutboxEntry): void;
  onNews(entries: readonly RoomEntry[]): void;
};

export function connectRoom(server: Server, parts: Parts) {
  const { log, outbox, presence, onStatus, onChange, onRestored, onSent, onNews } = parts;
  const me = server.connection.userId;
  const history = roomHistory(server.id, log, onChange);
  const closed = new AbortController();
  const { signal } = closed;
  const [reconnect, poll, recheck] = [createWakeup(), createWakeup(), createWakeup()];
  const sendPause = { until: 0 };
  const administratorsAmong = adminLookup(me, (userId, signal) => isAdministrator(server, userId, signal));
  const find = () => findRoom(server, history.roomId, administratorsAmong, signal);
  let found: RoomSearch | undefined;
  let invited: ReadonlySet<string> = new Set();
  /** While the user creates a room. It can be found before its creation has ended. */
  let isCreating = false;
  let hasGrantedPower = false;

  function onRoom(room: TeamRoom, complete: boolean) {
    found = asFound(room);
    onStatus({ is: 'open', room, complete });
  }

  /** Leaves the room's history behind, but copies these marks and documents to the next room as the user's own. */
  function replaceRoom(isKept: (entry: Pick<Mark, 'by'>) => boolean) {
    const queuedIds = new Set(outbox.read().map(({ id }) => id));
    const marks = reportKinds.flatMap((of) => copiedMarks([...log.marks(of).values()].filter(isKept)));
    const documents = [...log.documents().values()].flatMap((ofKind) => [...ofKind.values()]);
    const copies = [
      ...marks,
      ...copiedDocuments(documents.filter((each) => each.body.content && isKept(each))),
    ].sort((one, other) => one.at - other.at);
    outbox.prepend(copies.filter(({ id }) => !queuedIds.has(id)));
    history.clear();
  }

  /** Returns when to look for the room again. */
  async function connectOnce() {
    found = await find();
    const { room, impostor, lost } = found;
    if (room?.memberships.get(me) === 'join') {
      if (history.roomId !== undefined && history.roomId !== room.roomId)
        replaceRoom(({ by }) => isCreating || by === me);
      const state = { room, history, sendPause, hasGrantedPower, invited, signal, poll, recheck };
      return runRoomSession({
        server,
        outbox,
        presence,
        ...state,
        administratorsAmong,
        onRoom,
        onSent,
        onNews,
      });
    }
    // A lost room's entries stay visible until the user joins another one.
    if (history.roomId !== undefined) {
      const authors = log.all().map(({ by }) => by);
      history.enter(history.roomId, room?.administrators ?? (await administratorsAmong(authors, signal)));
    }
    const takenBy = impostor?.roomId === history.roomId ? undefined : impostor?.creator;
    onStatus(room ? { is: 'offered', room } : { is: 'absent', takenBy, lost });
    if (room) await reconnect.sleep(recheckMs, signal);
    else await waitForAliasChange(impostor?.roomId);
  }

  async function waitForAliasChange(aliasedId: string | undefined) {
    for (let waited = 0; waited < recheckMs; waited += aliasPollMs) {
      const elapsed = await reconnect.sleep(aliasPollMs, signal);
      if (!elapsed) return;
      if (!document.hidden && (await findAlias(server, aliasOf(me), signal)) !== aliasedId) return;
    }
  }

  async function run() {
    await history.restore();
    onRestored();
    for (let failures = 0; !signal.aborted; ) {
      const began = Date.now();
      try {
        await connectOnce();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (Date.now() - began > backoffResetMs) failures = 0;
        onStatus(statusOf(error as Error));
        await reconnect.sleep(retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 0, signal);
      }
    }
  }

  const wake = () => {
    if (document.hidden) return;
    reconnect.wake();
    poll.wake();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  void run();

  return {
    /** Lists the server's admins. @throws ConnectionFailure */
    administrators: () => listAdministrators(server, signal),
    /** Creates the room and invites these users. @throws ConnectionFailure */
    async create(invite: Iterable<string>) {
      invited = new Set(invite);
      isCreating = true;
      try {
        const roomId = await createTeamRoom(server, found ?? (await find()));
        if (history.roomId !== roomId) replaceRoom(() => true);
      } finally {
        isCreating = false;
        // If it failed, another admin may have created the room at the same time.
        reconnect.wake();
      }
    },
    /** @throws ConnectionFailure */
    async join() {
      if (found?.room) {
        hasGrantedPower = await joinTeamRoom(server, found.room).catch(async (error: unknown) => {
          if (!(error instanceof ConnectionFailure) || error.code !== 'refused') throw error;
          // Another admin who joins at the same time has the power level that this needs, and soon gives it up.
          await new Promise((resolve) => setTimeout(resolve, joinRetryMs));
          found = await find();
          return found.room ? joinTeamRoom(server, found.room) : false;
        });
      }
      reconnect.wake();
    },
    /** Kicks members who aren't server admins. @throws ConnectionFailure */
    async removeNonAdmins() {
      const room = found?.room;
      for (const userId of room?.nonAdmins ?? []) {
        await changeMembership(server, room?.roomId ?? '', 'kick', userId);
      }
      recheck.wake();
    },
    retry: reconnect.wake,
    close() {
      closed.abort();
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    },
  };
}

function statusOf(error: Error): RoomStatus {
  if (error instanceof NoSuchEndpoint) return { is: 'unsupported' };
  const offline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  return { is: offline ? 'offline' : 'failed', why: error };
}

/** A console's connection to its team's room: finds it, offers it, and stays in it for as long as it is wanted. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { changeMembership, findAlias, listAdministrators } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { alarm } from './alarm.ts';
import { type Mark, reportKinds } from './entries.ts';
import type { TeamLog } from './log.ts';
import type { Looking } from './looking.ts';
import type { Outbox, Waiting } from './outbox.ts';
import { carriedMarks } from './outbox.ts';
import type { RoomEntry } from './room-events.ts';
import {
  aliasOf,
  found as asFound,
  enterRoom,
  type Found,
  findRoom,
  type LostRoom,
  makeRoom,
} from './room-finder.ts';
import { roomMemory } from './room-memory.ts';
import { stayInRoom } from './room-stay.ts';
import type { TeamRoom } from './room-trust.ts';
import { administratorsAmong } from './room-trust.ts';

export type RoomStatus =
  | { is: 'looking' }
  /**
   * No room: this console can make one. `takenBy` made another room that has its alias; `lost` is what became of
   * the one that there was.
   */
  | { is: 'absent'; takenBy: string | undefined; lost: LostRoom | undefined }
  /** There is one, and this person is not in it. */
  | { is: 'offered'; room: TeamRoom }
  /** `complete` is whether all of it has been read. */
  | { is: 'open'; room: TeamRoom; complete: boolean }
  /** This server doesn't know the requests that it takes. */
  | { is: 'impossible' }
  | { is: 'offline' | 'failed'; why: Error };

/** Where there is no room, someone may make one at any moment: its alias is asked for, which costs a server little. */
const lookForAliasMs = 10_000;
/** Everything that the room depends on is looked at again after this time. */
const lookAgainMs = 60_000;
const joinAgainMs = 2_000;
const tryAgainMs = [2_000, 5_000, 15_000, 30_000];
/** What went well for so long and fails then is tried again at once. */
const steadyMs = 60_000;

export type RoomConnection = ReturnType<typeof connectRoom>;

type Parts = {
  log: TeamLog;
  outbox: Outbox;
  looking: Looking;
  onStatus(status: RoomStatus): void;
  /** The log is another one. */
  onChange(): void;
  onSent(waiting: Waiting): void;
  onNews(entries: readonly RoomEntry[]): void;
};

export function connectRoom(server: Server, parts: Parts) {
  const { log, outbox, looking, onStatus, onChange, onSent, onNews } = parts;
  const me = server.connection.userId;
  const memory = roomMemory(server.id, log, onChange);
  const closed = new AbortController();
  const { signal } = closed;
  const [again, news, check] = [alarm(), alarm(), alarm()];
  const hold = { until: 0 };
  const among = administratorsAmong(server);
  const find = () => findRoom(server, memory.roomId, among, signal);
  let found: Found | undefined;
  /** The users chosen by the person who created the room here. */
  let invited: ReadonlySet<string> = new Set();
  /** This console came in with the server's help, and with power. */
  let cameByHelp = false;

  function onRoom(room: TeamRoom, complete: boolean) {
    found = asFound(room);
    onStatus({ is: 'open', room, complete });
  }

  /** Forgets the room, but for these of its marks: they are this person's from now on. */
  function giveUp(which: (mark: Mark) => boolean) {
    const there = new Set(outbox.read().map(({ id }) => id));
    const carried = reportKinds
      .flatMap((of) => carriedMarks([...log.marks(of).values()].filter(which)))
      .sort((one, other) => one.at - other.at);
    outbox.carry(carried.filter(({ id }) => !there.has(id)));
    memory.forget();
  }

  /** Returns when there is reason to look for the room again. */
  async function attempt() {
    found = await find();
    const { room, impostor, lost } = found;
    if (room?.memberships.get(me) === 'join') {
      // What this person marked in a room that is given up goes along.
      if (memory.roomId !== undefined && memory.roomId !== room.roomId) giveUp(({ by }) => by === me);
      const parts = { server, room, memory, outbox, looking, hold, signal, news, check, cameByHelp, invited };
      return stayInRoom({ ...parts, administratorsAmong: among, onRoom, onSent, onNews });
    }
    // What the room held is still known here, whatever became of it, until this person is in another one.
    if (memory.roomId !== undefined) {
      const writers = log.all().map(({ by }) => by);
      memory.enter(memory.roomId, room?.administrators ?? (await among(writers, signal)));
    }
    const takenBy = impostor?.roomId === memory.roomId ? undefined : impostor?.creator;
    onStatus(room ? { is: 'offered', room } : { is: 'absent', takenBy, lost });
    if (room) await again.wait(lookAgainMs, signal);
    else await untilAliased(impostor?.roomId);
  }

  /** @param aliased the room that has the alias now, and is not the team's */
  async function untilAliased(aliased: string | undefined) {
    for (let waited = 0; waited < lookAgainMs; waited += lookForAliasMs) {
      const wasLong = await again.wait(lookForAliasMs, signal);
      if (!wasLong) return;
      if (!document.hidden && (await findAlias(server, aliasOf(server), signal)) !== aliased) return;
    }
  }

  async function run() {
    await memory.restore();
    for (let failures = 0; !signal.aborted; ) {
      const began = Date.now();
      try {
        await attempt();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (Date.now() - began > steadyMs) failures = 0;
        onStatus(statusOf(error as Error));
        await again.wait(tryAgainMs[Math.min(failures++, tryAgainMs.length - 1)] ?? 0, signal);
      }
    }
  }

  const wake = () => {
    if (document.hidden) return;
    again.ring();
    news.ring();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  void run();

  return {
    /** Lists all administrators of the server. @throws ConnectionFailure */
    administrators: () => listAdministrators(server, signal),
    /** Creates the room and invites these users. @throws ConnectionFailure */
    async make(invite: Iterable<string>) {
      try {
        await makeRoom(server, found ?? (await find()));
        invited = new Set(invite);
        giveUp(() => true);
      } finally {
        // Where it failed, someone else may have made it in this moment.
        again.ring();
      }
    },
    /** Goes into the room that there is. @throws ConnectionFailure */
    async join() {
      if (found?.room) {
        cameByHelp = await enterRoom(server, found.room).catch(async (error: unknown) => {
          if (!(error instanceof ConnectionFailure) || error.code !== 'refused') throw error;
          // Who comes in at the same moment has the power that it takes, and invites everyone a moment later.
          await new Promise((resolve) => setTimeout(resolve, joinAgainMs));
          found = await find();
          return found.room ? enterRoom(server, found.room) : false;
        });
      }
      again.ring();
    },
    /** Removes those from the room who are no administrators. @throws ConnectionFailure */
    async removeStrangers() {
      const room = found?.room;
      for (const userId of room?.strangers ?? []) {
        await changeMembership(server, room?.roomId ?? '', 'kick', userId);
      }
      check.ring();
    },
    retry: again.ring,
    close() {
      closed.abort();
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    },
  };
}

function statusOf(error: Error): RoomStatus {
  if (error instanceof NoSuchEndpoint) return { is: 'impossible' };
  const offline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  return { is: offline ? 'offline' : 'failed', why: error };
}

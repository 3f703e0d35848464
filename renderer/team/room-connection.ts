/** A console's connection to its team's room: finds it, offers it, and stays in it for as long as it is wanted. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { changeMembership, findAlias, listAdministrators } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { alarm } from './alarm.ts';
import type { TeamLog } from './log.ts';
import type { Looking } from './looking.ts';
import { marksOf, type Outbox, type Waiting } from './outbox.ts';
import { aliasOf, enterRoom, type Found, findRoom, makeRoom } from './room-finder.ts';
import { roomMemory } from './room-memory.ts';
import { stayInRoom } from './room-stay.ts';
import type { TeamRoom } from './room-trust.ts';

export type RoomStatus =
  | { is: 'looking' }
  /**
   * No room: this console can make one. `takenBy` made the room that has its alias; it `was` the team's, if
   * others than administrators have a say in it by now.
   */
  | { is: 'absent'; takenBy: string | undefined; was: boolean }
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
};

export function connectRoom(server: Server, { log, outbox, looking, onStatus, onChange, onSent }: Parts) {
  const me = server.connection.userId;
  const memory = roomMemory(server.id, log, onChange);
  const closed = new AbortController();
  const { signal } = closed;
  const [again, news, check] = [alarm(), alarm(), alarm()];
  let found: Found | undefined;
  /** This console came in with the server's help, and with power. */
  let cameByHelp = false;

  function onRoom(room: TeamRoom, complete: boolean) {
    found = { room, impostor: undefined };
    onStatus({ is: 'open', room, complete });
  }

  /** Returns when there is reason to look for the room again. */
  async function attempt() {
    found = await findRoom(server, signal);
    const { room, impostor } = found;
    if (room?.memberships.get(me) === 'join') {
      const parts = { server, room, memory, outbox, looking, signal, news, check, cameByHelp };
      return stayInRoom({ ...parts, onRoom, onSent });
    }
    const was = impostor !== undefined && impostor.roomId === memory.roomId;
    // What a room that was the team's held is still known, until there is another one.
    if (was) memory.enter(impostor.roomId, await listAdministrators(server, signal));
    else memory.forget();
    const takenBy = impostor?.creator;
    onStatus(room ? { is: 'offered', room } : { is: 'absent', takenBy, was });
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
    /** Whom it concerns that there is a room. @throws ConnectionFailure */
    administrators: () => listAdministrators(server, signal),
    /** Makes the room. @throws ConnectionFailure */
    async make() {
      try {
        await makeRoom(server, found ?? (await findRoom(server, signal)));
        // The marks of a room that is given up go along; they are this person's from now on.
        outbox.add(marksOf(log.marks()));
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
          found = await findRoom(server, signal);
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

/** A console and its team's room: finds it, reads and follows it, and sends what waits, for as long as it is wanted. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { changeMembership, type RoomEvent, sendEvent } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { alarm } from './alarm.ts';
import type { TeamLog } from './log.ts';
import type { Looking } from './looking.ts';
import type { Outbox, Waiting } from './outbox.ts';
import { eventOf, lookingAt, lookingType, namespace, readEntry, redactedBy } from './room-events.ts';
import { enterRoom, type Found, findRoom, inviteMissing, makeRoom } from './room-finder.ts';
import { catchUp, follow, type Known, readOlder } from './room-reader.ts';
import type { TeamRoom } from './room-trust.ts';

export type RoomStatus =
  | { is: 'looking' }
  /** No room: this console can make one. `takenBy` made another room under its alias. */
  | { is: 'absent'; administrators: readonly string[]; takenBy?: string | undefined }
  /** There is one, and this person is not in it. */
  | { is: 'offered'; room: TeamRoom }
  | { is: 'open'; room: TeamRoom; complete: boolean }
  /** This server has no such rooms, or doesn't let them be found. */
  | { is: 'impossible' }
  | { is: 'offline' | 'failed'; why: Error };

/** The room's state and the list of administrators are looked at again after this time. */
const checkMs = 60_000;
const lookAgainMs = 60_000;
const tryAgainMs = [2_000, 5_000, 15_000, 30_000] as const;

export type RoomConnection = ReturnType<typeof connectRoom>;

type Parts = {
  log: TeamLog;
  outbox: Outbox;
  looking: Looking;
  onStatus(status: RoomStatus): void;
  /** The log is another one. */
  onChange(): void;
  /** An entry left the outbox and will come back from the room. */
  onSent(waiting: Waiting): void;
};

export function connectRoom(server: Server, parts: Parts) {
  const { log, outbox, looking, onStatus, onChange, onSent } = parts;
  const me = server.connection.userId;
  const closed = new AbortController();
  /** Rings when it is worth trying again at once; when there may be news; when there is something to send. */
  const [again, news, mail, check] = [alarm(), alarm(), alarm(), alarm()];
  let found: Found | undefined;
  let known: Known & { roomId?: string } = { events: new Set(), tail: undefined };

  async function run() {
    for (let failures = 0; !closed.signal.aborted; ) {
      try {
        found = await findRoom(server, closed.signal);
        failures = 0;
        if (found.room?.memberships.get(me) === 'join') {
          await stay(found.room, found.administrators);
          continue;
        }
        known = { events: new Set(), tail: undefined };
        log.clear();
        onChange();
        onStatus(
          found.room
            ? { is: 'offered', room: found.room }
            : {
                is: 'absent',
                administrators: [...found.administrators],
                takenBy: found.impostor?.creator,
              },
        );
        await again.wait(lookAgainMs, closed.signal);
      } catch (error) {
        if (closed.signal.aborted) return;
        onStatus(statusOf(error as Error));
        await again.wait(tryAgainMs[Math.min(failures++, tryAgainMs.length - 1)] ?? 0, closed.signal);
      }
    }
  }

  /** Returns when the room isn't the team's any more, or this person isn't in it; throws when a request fails. */
  async function stay(first: TeamRoom, firstAdministrators: ReadonlySet<string>): Promise<void> {
    const { roomId } = first;
    let [room, administrators] = [first, firstAdministrators];
    const inside = new AbortController();
    const { signal } = inside;
    const leave = () => inside.abort();
    closed.signal.addEventListener('abort', leave);

    if (known.roomId !== roomId) {
      log.clear();
      known = { roomId, events: new Set(), tail: undefined };
    }
    log.count(administrators);
    const tell = () => onStatus({ is: 'open', room, complete: known.tail === undefined });

    function take(events: readonly RoomEvent[]) {
      for (const event of events) {
        const entry = readEntry(event);
        if (entry) log.add(entry);
        const redacted = redactedBy(event);
        if (redacted !== undefined) log.redact(redacted);
        if (event.type.startsWith('m.room.') && event.state_key !== undefined) check.ring();
        else if (event.sender !== me && administrators.has(event.sender)) {
          looking.heard(event.sender, ageOf(event), lookingAt(event));
        }
      }
      if (events.length > 0) onChange();
    }

    async function read() {
      const reading = { server, roomId, signal, known, take };
      const head = await catchUp(reading);
      tell();
      const older = readOlder(reading).then(tell);
      await Promise.all([follow(reading, head, news), older]);
    }

    async function send() {
      while (!signal.aborted) {
        const sent = await exclusively(server, () => sendNext(roomId, signal));
        if (sent === 'done') news.ring();
        else await mail.wait(sent === 'nothing' ? checkMs : sent.waitMs, signal);
      }
    }

    async function watch() {
      for (;;) {
        await inviteMissing(server, room, administrators, signal).catch(ignoreRateLimit);
        await check.wait(checkMs, signal);
        if (signal.aborted) return;
        found = await findRoom(server, signal);
        administrators = found.administrators;
        if (found.room?.roomId !== roomId || found.room.memberships.get(me) !== 'join') return;
        room = found.room;
        log.count(administrators);
        onChange();
        tell();
      }
    }

    const sayLook = (report: number | null) => {
      const event = { type: lookingType, content: { report }, transactionId: `look ${Date.now()}` };
      return sendEvent(server, roomId, event, signal);
    };

    // The first that ends, by itself or by a failure, ends the others.
    let failure: unknown;
    const works = [read(), send(), watch(), looking.run(sayLook, signal)].map((work) =>
      work
        .catch((error) => {
          if (!signal.aborted) failure = error;
        })
        .finally(leave),
    );
    await Promise.all(works);
    closed.signal.removeEventListener('abort', leave);
    if (failure !== undefined) throw failure;
  }

  async function sendNext(
    roomId: string,
    signal: AbortSignal,
  ): Promise<'nothing' | 'done' | { waitMs: number }> {
    const next = outbox.next();
    if (!next) return 'nothing';
    const event = eventOf(next.body, next.id, Math.max(0, Date.now() - next.at));
    try {
      await sendEvent(server, roomId, { ...event, transactionId: next.id }, signal);
    } catch (error) {
      if (error instanceof ConnectionFailure && error.code === 'rate_limited') {
        return { waitMs: 1000 * Math.max(1, Number(error.values.seconds) || 5) };
      }
      throw error;
    }
    onSent(next);
    outbox.remove(next.id);
    return 'done';
  }

  const stopListening = outbox.subscribe(() => mail.ring());
  const wake = () => {
    if (document.hidden) return;
    again.ring();
    news.ring();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  void run();

  return {
    /** Makes the room. @throws ConnectionFailure */
    async make() {
      found ??= await findRoom(server, closed.signal);
      try {
        await makeRoom(server, found);
      } finally {
        // Where it failed, someone else may have made it in this moment.
        again.ring();
      }
    },
    /** Goes into the room that there is. @throws ConnectionFailure */
    async join() {
      if (found?.room) await enterRoom(server, found.room);
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
    retry: () => again.ring(),
    close() {
      closed.abort();
      stopListening();
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    },
  };
}

/** One tab at a time sends, so that no two of them choose differently what goes together. */
const exclusively = <Result>(server: Server, work: () => Promise<Result>): Promise<Result> =>
  'locks' in navigator
    ? (navigator.locks.request(`${namespace} ${server.id}`, work) as Promise<Result>)
    : work();

function statusOf(error: Error): RoomStatus {
  if (error instanceof NoSuchEndpoint) return { is: 'impossible' };
  const offline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  return { is: offline ? 'offline' : 'failed', why: error };
}

function ignoreRateLimit(error: unknown) {
  if (!(error instanceof ConnectionFailure) || error.code !== 'rate_limited') throw error;
}

/** How long ago an event was sent, by the server's clock. */
function ageOf({ unsigned, origin_server_ts }: RoomEvent): number {
  const age = (unsigned as { age?: unknown } | undefined)?.age;
  return typeof age === 'number' ? age : Date.now() - origin_server_ts;
}

/** A session in the team room: reads it, sends the outbox and presence, and rechecks that it can be trusted. */
import { ConnectionFailure } from '../../shared/connection.ts';
import {
  eventOf,
  namespace,
  type RoomEntry,
  readEntry,
  readViewing,
  type ViewedReport,
  viewingEvent,
} from '../../shared/team/room-events.ts';
import { catchUp, follow, readOlder } from '../../shared/team/room-reader.ts';
import type { PageQuery, RoomEvent } from '../../shared/team/room-replies.ts';
import type { AdministratorsAmong, TeamRoom } from '../../shared/team/room-trust.ts';
import { dropPowerLevel, isOwnDevice, roomMessages, sendEvent, waitForEvents } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import type { Outbox, OutboxEntry } from './outbox.ts';
import { isCopied } from './outbox.ts';
import type { Presence } from './presence.ts';
import { findRoom, inviteMissing } from './room-finder.ts';
import type { RoomHistory } from './room-history.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';

const recheckMs = 60_000;

/** If two admins join at once, one can restore the other's power level by accident, so it is checked for a while. */
const powerChecks = 4;
const powerCheckMs = 2_500;

const pollMs = 3_000;
/** While the page is hidden or long polling works. */
const idlePollMs = 30_000;
/** Below the timeout of all requests. */
const longPollMs = 8_000;
/** A server may reply at once without events. */
const minLongPollMs = 1_000;
const maxPauseSeconds = 60;

type RoomSession = {
  server: Server;
  room: TeamRoom;
  history: RoomHistory;
  outbox: Outbox;
  presence: Presence;
  /** When the rate limit ends. Survives reconnects. */
  sendPause: { until: number };
  signal: AbortSignal;
  administratorsAmong: AdministratorsAmong;
  invited: ReadonlySet<string>;
  poll: Wakeup;
  recheck: Wakeup;
  onRoom(room: TeamRoom, complete: boolean): void;
  /** Joined with `make_room_admin`, which comes with a power level to give up. */
  hasGrantedPower: boolean;
  /** Called with entries that the server received and that will arrive from the room. */
  onSent(entry: OutboxEntry): void;
  /** Called with colleagues' new entries, before they're in the log. Those of a catch-up may be known. */
  onNews(entries: readonly RoomEntry[]): void;
};

/** Returns when the room is no longer the team room or the user left it. Throws if a request fails. */
export async function runRoomSession(session: RoomSession): Promise<void> {
  const { server, history, outbox, presence, sendPause, poll, recheck, onRoom, onSent } = session;
  const { roomId } = session.room;
  const me = server.connection.userId;
  const ended = new AbortController();
  const signal = AbortSignal.any([session.signal, ended.signal]);
  const outboxChange = createWakeup();
  let isLongPolling = false;
  let { room } = session;
  const range = history.enter(roomId, room.administrators);
  const reportRoom = () => onRoom(room, range.tail === undefined);

  /** Events of users who joined since the last check. */
  let unverified: RoomEvent[] = [];

  function updatePresence(events: readonly RoomEvent[]) {
    for (const event of events) {
      if (event.sender === me || !room.administrators.has(event.sender)) continue;
      presence.receive(event.sender, ageOf(event), readViewing(event));
    }
  }

  function receive(events: readonly RoomEvent[], isContiguous: boolean) {
    const newcomers = events.filter(({ sender }) => !room.memberships.has(sender));
    unverified.push(...newcomers);
    const isState = ({ type, state_key }: RoomEvent) => type.startsWith('m.room.') && state_key !== undefined;
    if (newcomers.length > 0 || events.some(isState)) recheck.wake();
    updatePresence(events);
    history.receive(events, isContiguous);
  }

  function receiveNew(events: readonly RoomEvent[], isContiguous: boolean) {
    const byColleagues = events.filter(({ sender }) => sender !== me && room.administrators.has(sender));
    const entries = byColleagues.flatMap((event) => readEntry(event) ?? []);
    if (entries.length > 0) session.onNews(entries);
    receive(events, isContiguous);
  }

  async function read() {
    const messages = (query: PageQuery) => roomMessages(server, roomId, query, signal);
    const reading = { messages, signal, range, receive };
    // Colleagues' entries from the time of a disconnect count as new.
    const isKnown = range.events.size > 0;
    const head = await catchUp(isKnown ? { ...reading, receive: receiveNew } : reading);
    reportRoom();
    const everyMs = () => (isLongPolling || document.hidden ? idlePollMs : pollMs);
    const older = readOlder(reading).then(reportRoom, (error) => {
      // The server doesn't know the token if it was restored from a backup.
      if (error instanceof ConnectionFailure && error.code === 'refused') history.resetRange();
      throw error;
    });
    await Promise.all([follow({ ...reading, receive: receiveNew }, head, poll, everyMs), older]);
  }

  /** Uses long polling where the server supports it. `follow` polls anyway. */
  async function longPoll() {
    for (let since: string | undefined; !signal.aborted; ) {
      try {
        if (since === undefined && !(await isOwnDevice(server, signal))) return;
        const pause = createWakeup().sleep(minLongPollMs, signal);
        const reply = await waitForEvents(server, roomId, { since, timeoutMs: longPollMs }, signal);
        since = reply.since;
        isLongPolling = true;
        if (reply.hasEvents) poll.wake();
        await pause;
      } catch (error) {
        // Ends the idle interval of `follow`.
        if (isLongPolling) poll.wake();
        isLongPolling = false;
        if (error instanceof NoSuchEndpoint) return;
        await createWakeup().sleep(idlePollMs, signal);
      }
    }
  }

  async function send() {
    let notBefore = 0;
    while (!signal.aborted) {
      // A new entry must not end this pause.
      if (sendPause.until > Date.now()) await createWakeup().sleep(sendPause.until - Date.now(), signal);
      if (signal.aborted) return;
      const sent = await withSendLock(server, () => sendNext(server, room, outbox, notBefore, signal));
      if (sent.is === 'done') {
        notBefore = Math.max(notBefore, sent.receivedAt);
        onSent(sent.queued);
        outbox.remove(sent.queued.id);
        poll.wake();
      } else if (sent.is === 'nothing') {
        await outboxChange.sleep(recheckMs, signal);
      } else {
        sendPause.until = Date.now() + sent.waitMs;
      }
    }
  }

  async function monitor() {
    for (let checks = 0; ; checks++) {
      if (session.hasGrantedPower && room.hasGrantedPower(me)) {
        await dropPowerLevel(server, roomId).catch(ignoreRefusal);
      }
      await inviteMissing(server, room, session.invited, signal).catch(ignoreRateLimit);
      await recheck.sleep(session.hasGrantedPower && checks < powerChecks ? powerCheckMs : recheckMs, signal);
      if (signal.aborted) return;
      const found = await findRoom(server, roomId, session.administratorsAmong, signal);
      if (found.room?.roomId !== roomId || found.room.memberships.get(me) !== 'join') return;
      room = found.room;
      history.enter(roomId, room.administrators);
      updatePresence(unverified);
      unverified = [];
      reportRoom();
    }
  }

  const sendViewing = (report: ViewedReport) =>
    sendEvent(server, roomId, { ...viewingEvent(report), transactionId: `look-${Date.now()}` }, signal);

  // The first loop that ends or fails ends the others.
  let failure: unknown;
  const unsubscribe = outbox.subscribe(outboxChange.wake);
  void longPoll();
  const loops = [read(), send(), monitor(), presence.run(sendViewing, signal)].map((work) =>
    work
      .catch((error) => {
        if (!signal.aborted) failure = error;
      })
      .finally(() => ended.abort()),
  );
  await Promise.all(loops);
  unsubscribe();
  if (failure !== undefined) throw failure;
}

type SendResult =
  | { is: 'nothing' }
  | { is: 'done'; queued: OutboxEntry; receivedAt: number }
  | { is: 'later'; waitMs: number };

/**
 * Sends the next entry. `receivedAt` is the latest time at which the server may have received it, by the local clock.
 * Later entries get at least that time (`notBefore`): a mark could otherwise lose to the one that it undoes if that
 * request was slow. Copied marks keep their times.
 */
async function sendNext(
  server: Server,
  { roomId, memberships }: TeamRoom,
  outbox: Outbox,
  notBefore: number,
  signal: AbortSignal,
): Promise<SendResult> {
  const queued = outbox.next();
  if (!queued) return { is: 'nothing' };
  const { id, body, at, times } = queued;
  const notEarlier = (time: number) => (isCopied(queued) ? time : Math.max(time, notBefore));
  const entry = { id, body, at: notEarlier(at), ...(times && { times: times.map(notEarlier) }) };
  const now = Date.now();
  try {
    await sendEvent(
      server,
      roomId,
      { ...eventOf(entry, now, membersOf(memberships)), transactionId: id },
      signal,
    );
    const roundTripMs = Date.now() - now;
    return {
      is: 'done',
      queued,
      receivedAt: Math.max(entry.at, ...(entry.times ?? [])) + roundTripMs + 1,
    };
  } catch (error) {
    if (!isRateLimit(error)) throw error;
    return {
      is: 'later',
      waitMs: 1000 * Math.min(maxPauseSeconds, Math.max(1, Number(error.values.seconds) || 5)),
    };
  }
}

const membersOf = (memberships: TeamRoom['memberships']) =>
  [...memberships].flatMap(([userId, membership]) =>
    membership === 'join' || membership === 'invite' ? [userId] : [],
  );

/** Only one tab sends at a time, so that two don't merge entries differently. */
const withSendLock = <Result>(server: Server, work: () => Promise<Result>): Promise<Result> =>
  'locks' in navigator
    ? (navigator.locks.request(`${namespace} ${server.id}`, work) as Promise<Result>)
    : work();

const isRateLimit = (error: unknown): error is ConnectionFailure =>
  error instanceof ConnectionFailure && error.code === 'rate_limited';

function ignoreRefusal(error: unknown) {
  if (!isRateLimit(error) && !(error instanceof ConnectionFailure && error.code === 'refused')) throw error;
}

function ignoreRateLimit(error: unknown) {
  if (!isRateLimit(error)) throw error;
}

/** Returns an event's age in milliseconds, by the server's clock if possible. */
function ageOf({ unsigned, origin_server_ts }: RoomEvent): number {
  const age = (unsigned as { age?: unknown } | undefined)?.age;
  return typeof age === 'number' ? age : Date.now() - origin_server_ts;
}

/** Being in the team's room: reading it, sending what waits, and seeing to it that it stays the team's. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { dropPowerLevel, isOwnDevice, type RoomEvent, sendEvent, waitForEvents } from '../api/team-room.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { type Alarm, alarm } from './alarm.ts';
import type { Look, Looking } from './looking.ts';
import type { Outbox, Waiting } from './outbox.ts';
import { isCarried } from './outbox.ts';
import { eventOf, lookingAt, lookOf, namespace, type RoomEntry, readEntry } from './room-events.ts';
import { findRoom, inviteMissing } from './room-finder.ts';
import type { RoomMemory } from './room-memory.ts';
import { catchUp, follow, readOlder } from './room-reader.ts';
import type { AdministratorsAmong, TeamRoom } from './room-trust.ts';

/** The room's state is looked at again after this time. */
const checkMs = 60_000;

/**
 * Two who come in at the same moment each write down who has power as they read it, and one gives the other's back: who
 * came in like that looks again so often, after this time, and gives it up once more.
 */
const powerLooks = 4;
const powerLookMs = 2_500;

/** How often there may be news: while someone looks at the page, and while nobody does or the server tells. */
const pollMs = 3_000;
const pollSeldomMs = 30_000;
/** A server is asked to tell of news within this time, which is less than any request may take. */
const listenMs = 8_000;
/** And not more often than that: one that answers at once, without news or with news of something else, would never rest. */
const listenAgainMs = 1_000;
/** Who asks to slow down for longer is asked sooner all the same. */
const longestHold = 60;

type Stay = {
  server: Server;
  room: TeamRoom;
  memory: RoomMemory;
  outbox: Outbox;
  looking: Looking;
  /** Nothing waiting is sent before then: the server asked for it, whatever becomes of the connection meanwhile. */
  hold: { until: number };
  signal: AbortSignal;
  administratorsAmong: AdministratorsAmong;
  /** The users to invite. */
  invited: ReadonlySet<string>;
  /** Rings when there may be news, and when the room should be looked at again. */
  news: Alarm;
  check: Alarm;
  /** The room as it is now, whenever it may be another one. */
  onRoom(room: TeamRoom, complete: boolean): void;
  /** This person was let in by the server, with power that nobody should keep. */
  cameByHelp: boolean;
  /** An entry left the outbox and will come back from the room. */
  onSent(waiting: Waiting): void;
  /** Colleagues' entries that arrive after the room was read, before the log has them. */
  onNews(entries: readonly RoomEntry[]): void;
};

/** Returns when the room isn't the team's any more, or this person isn't in it; throws when a request fails. */
export async function stayInRoom(stay: Stay): Promise<void> {
  const { server, memory, outbox, looking, hold, news, check, onRoom, onSent } = stay;
  const { roomId } = stay.room;
  const me = server.connection.userId;
  const left = new AbortController();
  const signal = AbortSignal.any([stay.signal, left.signal]);
  const mail = alarm();
  let listening = false;
  let { room } = stay;
  const known = memory.enter(roomId, room.administrators);
  const tell = () => onRoom(room, known.tail === undefined);

  /** Of people of whom it isn't known yet whether they are administrators: they came in since the room was looked at. */
  let ofNewcomers: RoomEvent[] = [];

  function hear(events: readonly RoomEvent[]) {
    for (const event of events) {
      if (event.sender === me || !room.administrators.has(event.sender)) continue;
      looking.heard(event.sender, ageOf(event), lookingAt(event));
    }
  }

  function take(events: readonly RoomEvent[], solid: boolean) {
    const newcomers = events.filter(({ sender }) => !room.memberships.has(sender));
    ofNewcomers.push(...newcomers);
    const isState = ({ type, state_key }: RoomEvent) => type.startsWith('m.room.') && state_key !== undefined;
    if (newcomers.length > 0 || events.some(isState)) check.ring();
    hear(events);
    memory.take(events, solid);
  }

  function takeNews(events: readonly RoomEvent[], solid: boolean) {
    const byColleagues = events.filter(({ sender }) => sender !== me && room.administrators.has(sender));
    const entries = byColleagues.flatMap((event) => readEntry(event) ?? []);
    if (entries.length > 0) stay.onNews(entries);
    take(events, solid);
  }

  async function read() {
    const reading = { server, roomId, signal, known, take };
    const head = await catchUp(reading);
    tell();
    const everyMs = () => (listening || document.hidden ? pollSeldomMs : pollMs);
    const older = readOlder(reading).then(tell, (error) => {
      // A server whose data are older than this console knows no such place: from the beginning, then.
      if (error instanceof ConnectionFailure && error.code === 'refused') memory.readAgain();
      throw error;
    });
    await Promise.all([follow({ ...reading, take: takeNews }, head, news, everyMs), older]);
  }

  /** Lets the server tell of news, where it can; where it can't, there is the poll. */
  async function listen() {
    for (let since: string | undefined; !signal.aborted; ) {
      try {
        if (since === undefined && !(await isOwnDevice(server, signal))) return;
        const again = alarm().wait(listenAgainMs, signal);
        const heard = await waitForEvents(server, roomId, { since, timeoutMs: listenMs }, signal);
        since = heard.since;
        listening = true;
        if (heard.hasEvents) news.ring();
        await again;
      } catch (error) {
        // The room is read seldom while the server tells, and is not waited for any longer once it doesn't.
        if (listening) news.ring();
        listening = false;
        if (error instanceof NoSuchEndpoint) return;
        await alarm().wait(pollSeldomMs, signal);
      }
    }
  }

  async function send() {
    let notBefore = 0;
    while (!signal.aborted) {
      // Nothing that is added meanwhile makes this shorter.
      if (hold.until > Date.now()) await alarm().wait(hold.until - Date.now(), signal);
      if (signal.aborted) return;
      const sent = await exclusively(server, () => sendNext(server, room, outbox, notBefore, signal));
      if (sent.is === 'done') {
        notBefore = Math.max(notBefore, sent.heldBy);
        onSent(sent.waiting);
        outbox.remove(sent.waiting.id);
        news.ring();
      } else if (sent.is === 'nothing') {
        await mail.wait(checkMs, signal);
      } else {
        hold.until = Date.now() + sent.waitMs;
      }
    }
  }

  async function watch() {
    for (let looks = 0; ; looks++) {
      if (stay.cameByHelp && room.wasGivenPower(me)) {
        await dropPowerLevel(server, roomId).catch(ignoreRefusal);
      }
      await inviteMissing(server, room, stay.invited, signal).catch(ignoreRateLimit);
      await check.wait(stay.cameByHelp && looks < powerLooks ? powerLookMs : checkMs, signal);
      if (signal.aborted) return;
      const found = await findRoom(server, roomId, stay.administratorsAmong, signal);
      if (found.room?.roomId !== roomId || found.room.memberships.get(me) !== 'join') return;
      room = found.room;
      memory.enter(roomId, room.administrators);
      hear(ofNewcomers);
      ofNewcomers = [];
      tell();
    }
  }

  const sayLook = (look: Look) =>
    sendEvent(server, roomId, { ...lookOf(look), transactionId: `look-${Date.now()}` }, signal);

  // The first that ends, by itself or by a failure, ends the others.
  let failure: unknown;
  const stopListening = outbox.subscribe(mail.ring);
  void listen();
  const works = [read(), send(), watch(), looking.run(sayLook, signal)].map((work) =>
    work
      .catch((error) => {
        if (!signal.aborted) failure = error;
      })
      .finally(() => left.abort()),
  );
  await Promise.all(works);
  stopListening();
  if (failure !== undefined) throw failure;
}

type Sent =
  | { is: 'nothing' }
  | { is: 'done'; waiting: Waiting; heldBy: number }
  | { is: 'later'; waitMs: number };

/**
 * Sends what is next. `heldBy` is by when, on this machine's clock, the room has it. What comes after it can't be
 * from before that (`notBefore`): a request can be long under way, and a mark would lose to the one that it takes back.
 * What is carried takes back nothing that was sent before it.
 */
async function sendNext(
  server: Server,
  { roomId, memberships }: TeamRoom,
  outbox: Outbox,
  notBefore: number,
  signal: AbortSignal,
): Promise<Sent> {
  const waiting = outbox.next();
  if (!waiting) return { is: 'nothing' };
  const { id, body, at, times } = waiting;
  const notEarlier = (time: number) => (isCarried(waiting) ? time : Math.max(time, notBefore));
  const entry = { id, body, at: notEarlier(at), ...(times && { times: times.map(notEarlier) }) };
  const now = Date.now();
  try {
    await sendEvent(
      server,
      roomId,
      { ...eventOf(entry, now, membersOf(memberships)), transactionId: id },
      signal,
    );
    const wayMs = Date.now() - now;
    return { is: 'done', waiting, heldBy: Math.max(entry.at, ...(entry.times ?? [])) + wayMs + 1 };
  } catch (error) {
    if (!isRateLimit(error)) throw error;
    return {
      is: 'later',
      waitMs: 1000 * Math.min(longestHold, Math.max(1, Number(error.values.seconds) || 5)),
    };
  }
}

const membersOf = (memberships: TeamRoom['memberships']) =>
  [...memberships].flatMap(([userId, membership]) =>
    membership === 'join' || membership === 'invite' ? [userId] : [],
  );

/** One tab at a time sends, so that no two of them choose differently what goes together. */
const exclusively = <Result>(server: Server, work: () => Promise<Result>): Promise<Result> =>
  'locks' in navigator
    ? (navigator.locks.request(`${namespace} ${server.id}`, work) as Promise<Result>)
    : work();

const isRateLimit = (error: unknown): error is ConnectionFailure =>
  error instanceof ConnectionFailure && error.code === 'rate_limited';

/** It can be tried again at the next look. */
function ignoreRefusal(error: unknown) {
  if (!isRateLimit(error) && !(error instanceof ConnectionFailure && error.code === 'refused')) throw error;
}

function ignoreRateLimit(error: unknown) {
  if (!isRateLimit(error)) throw error;
}

/** How long ago an event was sent, by the server's clock. */
function ageOf({ unsigned, origin_server_ts }: RoomEvent): number {
  const age = (unsigned as { age?: unknown } | undefined)?.age;
  return typeof age === 'number' ? age : Date.now() - origin_server_ts;
}

/**
 * Adds users, rooms, a month of messages, uploads and reports, and tasks in every status, through the code that serves
 * requests.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { appendEvents } from '../../conversation/rooms/events/append-events.ts';
import { type AccountContext, ensureUser } from '../../identity/accounts/create-user.ts';
import { hashPassword } from '../../identity/accounts/passwords.ts';
import type { MediaContext } from '../../identity/media/upload.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { insertReports, listReports, type NewReport } from '../reports/event-report-store.ts';
import {
  addTokens,
  hostileMessages,
  ordinaryMessages,
  people,
  type Random,
  reasons,
  regulars,
  sampleRooms,
  seededRandom,
  troublemakers,
} from './content.ts';
import { addTasks, createSampleRoom, type TaskContext } from './tasks.ts';
import { addUploads, pictureMessages } from './uploads.ts';

/** Password of every sample user. */
export const samplePassword = 'sample';

const day = 24 * 60 * 60 * 1000;
const span = 30 * day;
const messageCount = 480;
/** Messages or reports per transaction: a running server can write in between. */
const batchSize = 100;

type SampleSummary = {
  users: number;
  rooms: number;
  messages: number;
  reports: number;
  tasks: number;
};

type Message = { eventId: string; roomId: string; sender: string; sentTs: number; hostile: boolean };

export type SampleContext = AccountContext & MediaContext & TaskContext;

type SampleOptions = {
  reports: number;
  /** Number of additional users, who don't send messages. */
  users?: number;
  /** Called at each step with the number of messages and reports so far, and the total. */
  progress?(step: Step, done: number, total: number): void;
  /** Stops between two batches. Data added by then stays. */
  signal?: AbortSignal;
};
type Step = 'users' | 'rooms' | 'messages' | 'reports' | 'media' | 'tasks';

/**
 * Adds sample data to a new or existing server. Its tasks must be running, in this or another process.
 *
 * @throws DOMException `AbortError` if it was stopped
 */
export async function addSampleData(
  context: SampleContext,
  { reports, users = 0, progress = () => {}, signal }: SampleOptions,
): Promise<SampleSummary> {
  const total = messageCount + reports;
  const begin = (step: Step, done: number) => {
    signal?.throwIfAborted();
    progress(step, done, total);
  };
  begin('users', 0);
  const random = seededRandom(await seedOf(context));
  const now = context.clock.now();
  const clock = movableClock(context.clock, now - span);
  const past: SampleContext = { ...context, clock };

  // Hashing takes 100 ms or more, and the password is public: one hash for all.
  const passwordHash = await hashPassword('sample data', samplePassword);
  await Promise.all(
    people.map(({ localpart, displayName }) => ensureUser(past, { localpart, displayName, passwordHash })),
  );
  const members = people.map(({ localpart }) => `@${localpart}:${context.config.serverName}`);
  for (const chunk of chunks(
    Array.from({ length: users }, (_, index) => index + 1),
    batchSize,
  )) {
    signal?.throwIfAborted();
    await Promise.all(
      chunk.map((number) =>
        ensureUser(past, { localpart: `person-${number}`, displayName: `Person ${number}`, passwordHash }),
      ),
    );
  }
  begin('rooms', 0);
  const roomIds: string[] = [];
  for (const room of sampleRooms) roomIds.push(await createSampleRoom(past, room, members));

  const messages = await sendMessages(past, clock, random, roomIds, (done) => begin('messages', done));
  await fileReports(past, random, messages, members, { count: reports, now }, (done) =>
    begin('reports', messageCount + done),
  );
  begin('media', total);
  await addUploads(past, clock, random, members, { from: now - span, until: now });
  await addTokens(context, now);
  begin('tasks', total);
  const tasks = await addTasks(context, members, roomIds);
  return { users: people.length + users, rooms: roomIds.length, messages: messages.length, reports, tasks };
}

/** Depends on the existing reports, so that data added a second time differs. */
async function seedOf({ db }: SampleContext): Promise<number> {
  const { total } = await listReports(db, {}, { from: 0, limit: 0, dir: 'b' });
  return 20_260_101 + total;
}

type MovableClock = Clock & { moveTo(time: number): void };

/** A clock for past events. */
function movableClock(clock: Clock, start: number): MovableClock {
  let now = start;
  return {
    now: () => now,
    monotonic: clock.monotonic,
    after: clock.after,
    moveTo: (time) => {
      now = time;
    },
  };
}

async function sendMessages(
  context: SampleContext,
  clock: MovableClock,
  random: Random,
  roomIds: string[],
  note: (done: number) => void,
): Promise<Message[]> {
  const { serverName } = context.config;
  const start = clock.now();
  const [photographer] = regulars;
  const pictures = await pictureMessages(context, `@${photographer?.localpart}:${serverName}`);
  const ordinary = [...ordinaryMessages, ...pictures];
  const planned = Array.from({ length: messageCount }, (_, index) => {
    // Each hostile message is sent at least once.
    const hostile = index % 12 === 5;
    const content: JsonObject | undefined = hostile
      ? hostileMessages[Math.floor(index / 12) % hostileMessages.length]
      : random.pick(ordinary);
    const { localpart } = random.pick(hostile ? troublemakers : regulars);
    const sentTs = Math.floor(start + ((index + random.next()) / messageCount) * (span - day / 4));
    return {
      content: content ?? {},
      sender: `@${localpart}:${serverName}`,
      roomId: random.pick(roomIds),
      sentTs,
      hostile,
    };
  });

  const sent: Message[] = [];
  await inBatches(context, planned, note, async (tx, batch) => {
    for (const { content, ...message } of batch) {
      clock.moveTo(message.sentTs);
      const draft = { type: 'm.room.message', sender: message.sender, content };
      const [event] = await appendEvents(tx, context, message.roomId, [draft]);
      if (event) sent.push({ ...message, eventId: event.eventId });
    }
  });
  return sent;
}

async function fileReports(
  context: SampleContext,
  random: Random,
  messages: Message[],
  members: string[],
  { count, now }: { count: number; now: number },
  note: (done: number) => void,
): Promise<void> {
  const hostile = messages.filter((message) => message.hostile);
  const indexOf = new Map(messages.map((message, index) => [message, index]));
  // There may be a million: a number for each encodes its time and message, and sorts by time.
  const codes = new Float64Array(count).map(() => {
    // Most reports are justified.
    const message = random.pick(random.next() < 0.8 ? hostile : messages);
    // Mostly soon after the message, never before it or after today.
    const delay = (now - message.sentTs) * random.next() ** 3;
    return Math.floor(message.sentTs + delay) * messages.length + (indexOf.get(message) ?? 0);
  });
  codes.sort();
  const reportOf = (code: number): NewReport[] => {
    const message = messages[code % messages.length];
    if (!message) return [];
    const reporters = members.filter((member) => member !== message.sender);
    const score = message.hostile ? -Math.floor(40 + random.next() * 61) : -Math.floor(random.next() * 40);
    return [
      {
        receivedTs: Math.floor(code / messages.length),
        roomId: message.roomId,
        eventId: message.eventId,
        userId: random.pick(reporters),
        sender: message.sender,
        reason: random.pick(reasons),
        score: random.next() < 0.1 ? null : score,
      },
    ];
  };
  for (let done = 0; done < count; done += batchSize) {
    note(done);
    const batch = [...codes.subarray(done, done + batchSize)].flatMap(reportOf);
    await inTransaction(context.db, (tx) => insertReports(tx, batch));
  }
}

async function inBatches<Item>(
  { db }: SampleContext,
  items: Item[],
  note: (done: number) => void,
  write: (tx: Tx, batch: Item[]) => Promise<void>,
): Promise<void> {
  let done = 0;
  for (const batch of chunks(items, batchSize)) {
    note(done);
    await inTransaction(db, (tx) => write(tx, batch));
    done += batch.length;
  }
}

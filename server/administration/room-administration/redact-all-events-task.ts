/** Task that redacts a user's events: Synapse's "Redact all the events of a user". */
import { type Static, Type } from 'typebox';
import { appendEvent, type RoomContext } from '../../conversation/rooms/events/append-events.ts';
import type { StoredEvent } from '../../conversation/rooms/events/event-store.ts';
import { listRedactableEvents, type SenderRange } from '../../conversation/rooms/events/event-store.ts';
import { findPower, findPowerfulMember } from '../../conversation/rooms/events/power-levels.ts';
import { listRoomsOfUser } from '../../conversation/rooms/membership/membership-store.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { TaskAction, TaskKind } from '../../platform/tasks/task.ts';

const Params = Type.Object({
  user_id: Type.String(),
  requester: Type.String(),
  /** Empty for every room that the user is or was in. */
  rooms: Type.Array(Type.String()),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Number of the user's newest events of the period to read in each room, including redacted ones. */
  limit: Type.Integer(),
  use_admin: Type.Boolean(),
  /** The period in which they were sent, both ends included, in milliseconds since the Unix epoch. */
  after_ts: Type.Optional(Type.Integer()),
  before_ts: Type.Optional(Type.Integer()),
});
type Params = Static<typeof Params>;

export const redactAllEventsTask = {
  action: 'redact_all_events',
  params: Params,
  requestedBy: 'administrators',
} satisfies TaskKind;

/** Number of events per transaction. */
const eventsAtOnce = 25;
/** Further failures are omitted from the result. */
const maximumFailures = 1000;

export const redactAllEvents = (context: RoomContext & { db: Database }): TaskAction<typeof Params> => ({
  kind: redactAllEventsTask,
  async run({ params, signal, progress, inTransaction }) {
    const { db } = context;
    const failures = new Map<string, string>();
    const result = () => ({ failed_redactions: Object.fromEntries(failures) });

    for await (const roomId of roomsOf(db, params)) {
      let before = Number.MAX_SAFE_INTEGER;
      for (let left = params.limit; left > 0; ) {
        signal.throwIfAborted();
        const range = {
          roomId,
          sender: params.user_id,
          before,
          since: params.after_ts,
          until: params.before_ts,
          limit: Math.min(left, eventsAtOnce),
        };
        const chunk = await inTransaction((tx) => redactChunk(tx, context, range, params));
        for (const [eventId, failure] of chunk.failures) {
          if (failures.size < maximumFailures) failures.set(eventId, failure);
        }
        const last = chunk.events.at(-1);
        if (!last) break;
        left -= chunk.events.length;
        before = last.streamOrdering;
        await progress(result());
        await yieldToEventLoop();
      }
    }
    return { status: 'complete', result: result() };
  },
});

/** Redacts some of a sender's events in a room. Returns the failures by event ID. */
async function redactChunk(
  tx: Tx,
  context: RoomContext,
  range: SenderRange,
  params: Params,
): Promise<{ events: StoredEvent[]; failures: Map<string, string> }> {
  const failures = new Map<string, string>();
  const events = await listRedactableEvents(tx, range);
  for (const event of events) {
    if (event.redactedBy !== null) continue;
    const failure = await redact(tx, context, range.roomId, event, params);
    if (failure) failures.set(event.eventId, failure);
  }
  return { events, failures };
}

async function* roomsOf(db: Database, params: Params): AsyncGenerator<string> {
  if (params.rooms.length > 0) {
    yield* new Set(params.rooms);
    return;
  }
  for (let after = ''; ; ) {
    const rooms = await listRoomsOfUser(db, params.user_id, {
      memberships: ['join', 'leave', 'ban'],
      after,
      limit: 100,
    });
    yield* rooms;
    const last = rooms.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Redacts an event in the name of the first candidate with permission. Returns the first refusal if none has it. */
async function redact(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  { eventId }: StoredEvent,
  params: Params,
): Promise<string | undefined> {
  const candidates = params.use_admin
    ? [async () => params.requester]
    : [
        async () => params.user_id,
        async () => params.requester,
        // The user may be banned, and the admin may not be in the room.
        () => findRedactor(tx, roomId),
      ];
  let failure: string | undefined;
  for (const candidate of candidates) {
    const sender = await candidate();
    if (sender === undefined) continue;
    const content = { redacts: eventId, ...(params.reason !== null && { reason: params.reason }) };
    try {
      await appendEvent(tx, context, roomId, { type: 'm.room.redaction', sender, content });
      return undefined;
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
      failure ??= `${error.status}: ${error.message}`;
    }
  }
  return failure;
}

/** Returns the most powerful local member of a room if they may redact events of others. */
async function findRedactor(db: Database, roomId: string): Promise<string | undefined> {
  const power = await findPower(db, roomId);
  if (!power) return undefined;
  const needed = Math.max(power.levels.to('redact'), power.levels.toSend('m.room.redaction', false));
  return findPowerfulMember(db, roomId, power, needed);
}

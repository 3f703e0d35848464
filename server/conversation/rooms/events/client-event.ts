/** Events as clients get them: redacted where they were, with what clients want to know beside. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { ClientEvent } from '../../../../shared/api/events.ts';
import { redactEvent } from '../../../../shared/redaction.ts';
import { ignoredUsers } from '../../../identity/account-data/account-data.ts';
import { mapYielding } from '../../../platform/concurrency/yield.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { type Aggregation, findAggregations } from '../relations/aggregation-store.ts';
import { findEvents, type StoredEvent } from './event-store.ts';

export type Reader = {
  requester: Requester;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** For administrators, to whom no room's rules apply. */
  seesEverything?: true;
};

export type EventReader = Reader & {
  /**
   * The last event that the reader may know of, of the room that the events are of or by room: for who is not in it any
   * more. Undefined for who sees the present. Nothing that came later is told of an earlier event.
   */
  upTo: number | undefined | ((roomId: string) => number | undefined);
  /** Whether others may say something of an event, where that is known; every one is asked for without it. */
  mayBeRelated?(event: StoredEvent): boolean;
};

export type ServedEvent = {
  event: StoredEvent;
  /** What the reader was in the room at the event, where the reply says so. */
  membership?: string;
  /** Whether the sender was erased, and no more of it is to be told. */
  erased?: true;
};

/**
 * The events in the format of the client API, in their order, with what others say of them ("bundled aggregations").
 * However many they are, it takes the same few queries.
 */
export async function serveEvents(
  db: Database,
  served: readonly ServedEvent[],
  reader: EventReader,
): Promise<ClientEvent[]> {
  const related = await findRelated(db, served);
  const relations = await findRelations(db, served, reader);
  return mapYielding(served, ({ event, membership }) => {
    const client = asClientEvent(event, reader.now);
    const { unsigned } = client;
    if (membership !== undefined) unsigned.membership = membership;
    if (isOwnTransaction(event, reader.requester)) unsigned.transaction_id = event.transactionId;
    const previous = related.get(event.pdu.unsigned.replaces_state ?? '');
    if (previous) {
      unsigned.replaces_state = previous.eventId;
      unsigned.prev_content = visibleContent(previous);
      unsigned.prev_sender = previous.pdu.sender;
    }
    const bundle = relations.get(event.eventId);
    if (bundle) unsigned['m.relations'] = bundle;
    const redaction = related.get(event.redactedBy ?? '');
    if (redaction) {
      unsigned.redacted_by = redaction.eventId;
      const because = asClientEvent(redaction, reader.now);
      if (redaction.streamOrdering > (lastKnown(event, reader) ?? Number.POSITIVE_INFINITY))
        because.content = {};
      unsigned.redacted_because = withLegacyKeys(because);
    }
    return withLegacyKeys(client);
  });
}

/** The content that is left of an event. */
export const visibleContent = (event: StoredEvent): JsonObject =>
  event.redactedBy === null
    ? event.pdu.content
    : (redactEvent(event.pdu, event.roomVersion).content as JsonObject);

/** The redactions of these events and the state that they replaced, by identifier, in one reading. */
async function findRelated(db: Database, served: readonly ServedEvent[]): Promise<Map<string, StoredEvent>> {
  const ids = new Set<string>();
  for (const { event } of served) {
    if (event.redactedBy !== null) ids.add(event.redactedBy);
    if (event.pdu.unsigned.replaces_state) ids.add(event.pdu.unsigned.replaces_state);
  }
  const events = await findEvents(db, [...ids]);
  return new Map(events.map((event) => [event.eventId, event]));
}

/** What others say of these events, as it stands in `unsigned`. State has no such relations. */
async function findRelations(
  db: Database,
  served: readonly ServedEvent[],
  reader: EventReader,
): Promise<Map<string, JsonObject>> {
  const events = served.flatMap(({ event, erased }) =>
    erased || event.pdu.state_key !== undefined || reader.mayBeRelated?.(event) === false ? [] : [event],
  );
  const bundles = new Map<string, JsonObject>();
  let looking: Promise<ReadonlySet<string>> | undefined;
  const ignored = () => {
    looking ??= othersIgnored(db, reader);
    return looking;
  };
  for (const [upTo, some] of Map.groupBy(events, (event) => lastKnown(event, reader))) {
    const by = { userId: reader.requester.userId, upTo, ignored };
    const ids = some.map(({ eventId }) => eventId);
    const found = await findAggregations(db, ids, by);
    const latest = [...found.values()].flatMap(({ thread }) => thread?.latest.eventId ?? []);
    const ofLatest = await findAggregations(db, latest, by);
    for (const event of some) {
      const aggregation = found.get(event.eventId);
      const bundle = aggregation ? asBundle(event, aggregation, ofLatest, reader) : {};
      if (Object.keys(bundle).length > 0) bundles.set(event.eventId, bundle);
    }
  }
  return bundles;
}

/** Whom the reader ignores; an administrator who looks at a room nobody. */
async function othersIgnored(db: Database, { requester, seesEverything }: Reader): Promise<Set<string>> {
  if (seesEverything) return new Set();
  const ignored = await ignoredUsers(db, requester.userId);
  ignored.delete(requester.userId);
  return ignored;
}

const lastKnown = ({ pdu }: StoredEvent, { upTo }: EventReader) =>
  typeof upTo === 'function' ? upTo(pdu.room_id) : upTo;

function asBundle(
  event: StoredEvent,
  { edit, references, thread }: Aggregation,
  ofLatest: ReadonlyMap<string, Aggregation>,
  reader: Reader,
): JsonObject {
  const nested = (inner: StoredEvent) => {
    const client = asClientEvent(inner, reader.now);
    if (isOwnTransaction(inner, reader.requester)) client.unsigned.transaction_id = inner.transactionId;
    const innerEdit = ofLatest.get(inner.eventId)?.edit;
    if (innerEdit) {
      client.unsigned['m.relations'] = { 'm.replace': withLegacyKeys(asClientEvent(innerEdit, reader.now)) };
    }
    return withLegacyKeys(client);
  };
  const isRedacted = event.redactedBy !== null;
  return {
    ...(edit && !isRedacted && { 'm.replace': nested(edit) }),
    ...(references.length > 0 &&
      !isRedacted && { 'm.reference': { chunk: references.map((event_id) => ({ event_id })) } }),
    ...(thread && {
      'm.thread': {
        latest_event: nested(thread.latest),
        count: thread.replies,
        current_user_participated: thread.participated,
      },
    }),
  };
}

function asClientEvent(event: StoredEvent, now: number): ClientEvent {
  const { pdu } = event;
  const content = visibleContent(event);
  return {
    content: pdu.redacts === undefined ? content : { ...content, redacts: pdu.redacts },
    event_id: event.eventId,
    origin_server_ts: pdu.origin_server_ts,
    room_id: pdu.room_id,
    sender: pdu.sender,
    ...(pdu.state_key !== undefined && { state_key: pdu.state_key }),
    type: pdu.type,
    // Rooms, and clients, from before version 11 have it here, others in the content.
    ...(pdu.type === 'm.room.redaction' && { redacts: pdu.redacts ?? content.redacts }),
    unsigned: { age: now - pdu.unsigned.age_ts },
  };
}

function isOwnTransaction(event: StoredEvent, requester: Requester): boolean {
  return (
    event.transactionId !== null &&
    event.pdu.sender === requester.userId &&
    event.deviceId === (requester.deviceId ?? '')
  );
}

/** Keys that moved into `unsigned` years ago, where clients that know only r0 still look. */
function withLegacyKeys(event: ClientEvent): ClientEvent {
  event.user_id = event.sender;
  for (const key of ['age', 'prev_content', 'replaces_state', 'redacted_because']) {
    if (Object.hasOwn(event.unsigned, key)) event[key] = event.unsigned[key];
  }
  return event;
}

/** Events in the client format: redacted if necessary, with `unsigned` data and bundled aggregations. */
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
  /** For server admins, who may read all rooms. */
  seesEverything?: true;
};

export type EventReader = Reader & {
  /**
   * Stream position up to which the reader may see, of one room or by room; undefined without a limit. Relations and
   * redactions after it are hidden.
   */
  upTo: number | undefined | ((roomId: string) => number | undefined);
  /** Returns false for events that are known to have no relations, to save queries. */
  mayBeRelated?(event: StoredEvent): boolean;
};

export type ServedEvent = {
  event: StoredEvent;
  /** The reader's membership at the event, for `unsigned.membership`. */
  membership?: string;
  /** Whether the sender was erased: relations are hidden. */
  erased?: true;
};

/**
 * Formats events for clients, in the same order, with bundled aggregations. The number of queries doesn't depend on the
 * number of events. Client-server API, "Room event format" and "Aggregations of child events".
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

/** Returns the content, redacted if the event was. */
export const visibleContent = (event: StoredEvent): JsonObject =>
  event.redactedBy === null
    ? event.pdu.content
    : (redactEvent(event.pdu, event.roomVersion).content as JsonObject);

/** Returns the redactions of these events and the state that they replaced, by event ID. */
async function findRelated(db: Database, served: readonly ServedEvent[]): Promise<Map<string, StoredEvent>> {
  const ids = new Set<string>();
  for (const { event } of served) {
    if (event.redactedBy !== null) ids.add(event.redactedBy);
    if (event.pdu.unsigned.replaces_state) ids.add(event.pdu.unsigned.replaces_state);
  }
  const events = await findEvents(db, [...ids]);
  return new Map(events.map((event) => [event.eventId, event]));
}

/** Returns `m.relations` of `unsigned` by event ID. State events have none. */
async function findRelations(
  db: Database,
  served: readonly ServedEvent[],
  reader: EventReader,
): Promise<Map<string, JsonObject>> {
  const events = served.flatMap(({ event, erased }) =>
    erased || event.pdu.state_key !== undefined || reader.mayBeRelated?.(event) === false ? [] : [event],
  );
  const bundles = new Map<string, JsonObject>();
  let reading: Promise<ReadonlySet<string>> | undefined;
  const ignored = () => {
    reading ??= othersIgnored(db, reader);
    return reading;
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
    // Before room version 11 it was here, since then in the content.
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

/** Repeats keys at the top level, where old clients expect them. */
function withLegacyKeys(event: ClientEvent): ClientEvent {
  event.user_id = event.sender;
  for (const key of ['age', 'prev_content', 'replaces_state', 'redacted_because']) {
    if (Object.hasOwn(event.unsigned, key)) event[key] = event.unsigned[key];
  }
  return event;
}

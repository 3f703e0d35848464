/** Events as clients get them: redacted where they were, with what clients want to know beside. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { ClientEvent } from '../../shared/api/events.ts';
import { redactEvent } from '../../shared/redaction.ts';
import { mapInTurns } from '../core/event-loop-turns.ts';
import type { Requester } from '../core/requester.ts';
import type { Database } from '../database/schema.ts';
import { roomVersion } from './event.ts';
import { findEvents, type StoredEvent } from './event-store.ts';

export type Reader = {
  requester: Requester;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** For administrators, to whom no room's rules apply. */
  seesEverything?: true;
};

export type ServedEvent = {
  event: StoredEvent;
  /** What the reader was in the room at the event, where the reply says so. */
  membership?: string;
};

/** The events in the format of the client API, in their order. */
export async function serveEvents(
  db: Database,
  served: readonly ServedEvent[],
  reader: Reader,
): Promise<ClientEvent[]> {
  const related = await findRelated(db, served);
  return mapInTurns(served, ({ event, membership }) => {
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
    const redaction = related.get(event.redactedBy ?? '');
    if (redaction) {
      unsigned.redacted_by = redaction.eventId;
      unsigned.redacted_because = withLegacyKeys(asClientEvent(redaction, reader.now));
    }
    return withLegacyKeys(client);
  });
}

/** The content that is left of an event. */
export const visibleContent = (event: StoredEvent): JsonObject =>
  event.redactedBy === null ? event.pdu.content : (redactEvent(event.pdu, roomVersion).content as JsonObject);

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

function asClientEvent(event: StoredEvent, now: number): ClientEvent {
  const { pdu } = event;
  const content = visibleContent(event);
  return {
    content,
    event_id: event.eventId,
    origin_server_ts: pdu.origin_server_ts,
    room_id: pdu.room_id,
    sender: pdu.sender,
    ...(pdu.state_key !== undefined && { state_key: pdu.state_key }),
    type: pdu.type,
    // Clients from before room version 11 look for it here.
    ...(pdu.type === 'm.room.redaction' && { redacts: content.redacts }),
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

/** An event through time: as it was sent, each edit of it, and what was to be seen when it was reported. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { amount, object, text } from '../../../components/event/read-json.ts';

export type Version = {
  eventId: string | undefined;
  /** When it was sent, as its sender's server says, in milliseconds. */
  at: number | undefined;
  content: JsonObject;
};

/** The event that this one replaces, where it is an edit. */
export function editedEvent(event: JsonObject): string | undefined {
  const relation = object(object(event.content)?.['m.relates_to']);
  return relation?.rel_type === 'm.replace' ? text(relation.event_id) : undefined;
}

/**
 * The versions of an event, oldest first. Only its sender can edit it, and only into an event of its type.
 *
 * @param candidates what was sent after it, edits among it
 */
export function versionsOf(base: JsonObject, candidates: readonly JsonObject[]): Version[] {
  const edits = new Map<unknown, Version>();
  for (const event of candidates) {
    const replacement = object(object(event.content)?.['m.new_content']);
    if (
      replacement &&
      editedEvent(event) === base.event_id &&
      event.sender === base.sender &&
      event.type === base.type &&
      event.state_key === undefined
    ) {
      edits.set(event.event_id, version(event, replacement));
    }
  }
  return [
    version(base, object(base.content) ?? {}),
    ...[...edits.values()].sort((one, other) => (one.at ?? 0) - (other.at ?? 0)),
  ];
}

const version = (event: JsonObject, content: JsonObject): Version => ({
  eventId: text(event.event_id),
  at: amount(event.origin_server_ts),
  content,
});

/** The latest edit, where the server puts it beside the event. */
export function bundledEdit(event: JsonObject): JsonObject | undefined {
  const relations = object(object(event.unsigned)?.['m.relations']);
  return object(relations?.['m.replace']);
}

/** What was to be seen at a time: the last version that was there. */
export function versionAt(versions: readonly Version[], time: number): Version | undefined {
  return versions.findLast(({ at }, index) => index === 0 || (at ?? 0) <= time);
}

/** What removed an event, as far as the server tells; undefined where it wasn't. */
export function redactionOf(event: JsonObject): JsonObject | undefined {
  const unsigned = object(event.unsigned);
  const isRedacted = unsigned?.redacted_by !== undefined || unsigned?.redacted_because !== undefined;
  return isRedacted ? (object(unsigned.redacted_because) ?? {}) : undefined;
}

/** Versions of an event: the original, its edits, and the one that was reported. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { amount, object, text } from './read-json.ts';

export type Version = {
  eventId?: string | undefined;
  /** `origin_server_ts`, in milliseconds. */
  at?: number | undefined;
  content: JsonObject;
};

/** Returns the ID of the event that an edit replaces. */
export function editedEvent(event: JsonObject): string | undefined {
  const relation = object(object(event.content)?.['m.relates_to']);
  return relation?.rel_type === 'm.replace' ? text(relation.event_id) : undefined;
}

/**
 * Returns an event's versions, oldest first. Valid edits have the same sender and type.
 *
 * @param candidates later events
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

/** Returns the latest edit if the server bundles it. */
export function bundledEdit(event: JsonObject): JsonObject | undefined {
  const relations = object(object(event.unsigned)?.['m.relations']);
  return object(relations?.['m.replace']);
}

/** Returns the version that was visible at a time. */
export function versionAt(versions: readonly Version[], time: number): Version | undefined {
  return versions.findLast(({ at }, index) => index === 0 || (at ?? 0) <= time);
}

/** Returns an event's redaction, if the server includes it. */
export function redactionOf(event: JsonObject): JsonObject | undefined {
  const unsigned = object(event.unsigned);
  const isRedacted = unsigned?.redacted_by !== undefined || unsigned?.redacted_because !== undefined;
  return isRedacted ? (object(unsigned.redacted_because) ?? {}) : undefined;
}

import { useCallback } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { amount, object, text } from '../../components/event/read-json.ts';
import type { ActionEntry, Subject, TeamEntry } from '../../team/entries.ts';
import { useTeam } from '../../team/use-team.ts';

/** A redaction that long before or after a "redact all messages" of its sender has another cause. */
const longestWork = 24 * 3_600_000;

/**
 * Finds who of the team had an event removed. The event itself can't say: homeservers redact all messages of a user in
 * that user's name, or in the name of someone with power in the room.
 *
 * @param entries the log on the event and its sender
 * @param at when it was redacted, in milliseconds since the Unix epoch
 */
export const removedByTeam = (entries: readonly TeamEntry[], at: number | undefined) =>
  entries.find(
    (entry): entry is { type: 'action' } & ActionEntry =>
      entry.type === 'action' &&
      entry.outcome === 'done' &&
      (entry.action === 'redact-event' ||
        (entry.action === 'redact-user' && at !== undefined && Math.abs(entry.at - at) < longestWork)),
  )?.by;

/** Returns what finds the colleague who had an event of a room removed, by the team's log. */
export function useRemover(roomId: string): (event: JsonObject) => string | undefined {
  const team = useTeam();
  return useCallback(
    (event) => {
      const [eventId, sender] = [text(event.event_id), text(event.sender)];
      const subjects: Subject[] = [
        ...(eventId === undefined ? [] : [{ kind: 'event' as const, roomId, eventId }]),
        ...(sender === undefined ? [] : [{ kind: 'user' as const, userId: sender }]),
      ];
      const redaction = object(object(event.unsigned)?.redacted_because);
      return removedByTeam(team.timeline(...subjects), amount(redaction?.origin_server_ts));
    },
    [team, roomId],
  );
}

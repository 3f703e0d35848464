/** The events of a conversation as they are read one after the other. */

import { useCallback } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ConversationPage } from '../../api/event-context.ts';
import { eventContent } from '../../components/event/event-content.ts';
import { amount, object, text } from '../../components/event/read-json.ts';
import type { ActionEntry, Subject, TeamEntry } from '../../team/entries.ts';
import { useTeam } from '../../team/use-team.ts';
import { clipped } from '../../words/beginning.ts';

/** The beginning of what an event says, by which one finds it again. */
export function excerptOf(event: JsonObject | undefined): string | undefined {
  const content = event && eventContent(event);
  const says =
    content?.kind === 'text' ? content.body : content?.kind === 'poll' ? content.poll.question : undefined;
  const line = says?.trim().split('\n', 1)[0];
  return line ? `“${clipped(line, 60)}”` : undefined;
}

/** Pages can overlap where something was sent meanwhile. */
export function eventsOnce(pages: readonly ConversationPage[]): JsonObject[] {
  const seen = new Set<unknown>();
  return pages
    .flatMap(({ events }) => events)
    .filter(({ event_id }) => {
      const isNew = event_id === undefined || !seen.has(event_id);
      seen.add(event_id);
      return isNew;
    });
}

/** So many removed messages of one person in a row are shown as one line. */
const fewestFolded = 3;

/**
 * Puts runs of removed messages by the same person together.
 *
 * @param apart the event that always stands by itself
 */
export function inRuns(events: readonly JsonObject[], apart: string): JsonObject[][] {
  const isRemoved = (event: JsonObject | undefined) =>
    event !== undefined && event.event_id !== apart && eventContent(event).kind === 'redacted';
  const runs: JsonObject[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const isRun = isRemoved(event) && isRemoved(last?.[0]) && last?.[0]?.sender === event.sender;
    if (last && isRun) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length < fewestFolded ? run.map((event) => [event]) : [run]));
}

/** What people are called in the room, as the latest page that tells has it. */
export const namesOf = (pages: readonly ConversationPage[]): ReadonlyMap<string, string> =>
  new Map(pages.flatMap(({ names }) => [...names]));

const pauseMilliseconds = 5 * 60_000;

/** Whether somebody goes on talking: their name need not be said again. */
export function continues(before: JsonObject | undefined, event: JsonObject): boolean {
  if (!before || before.sender !== event.sender) return false;
  const gap = (amount(event.origin_server_ts) ?? 0) - (amount(before.origin_server_ts) ?? 0);
  return Math.abs(gap) < pauseMilliseconds;
}

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

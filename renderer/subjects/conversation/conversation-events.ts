/** Events of a timeline. */

import { useCallback } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ActionEntry, Subject, TeamEntry } from '../../../shared/team/entries.ts';
import type { ConversationPage } from '../../api/event-context.ts';
import { eventContent } from '../../components/event/event-content.ts';
import { amount, object, text } from '../../components/event/read-json.ts';
import { useTeam } from '../../team/use-team.ts';
import { ellipsize } from '../../words/clip.ts';

/** Returns an excerpt to identify an event by. */
export function excerptOf(event: JsonObject | undefined): string | undefined {
  const content = event && eventContent(event);
  const says =
    content?.kind === 'text' ? content.body : content?.kind === 'poll' ? content.poll.question : undefined;
  const line = says?.trim().split('\n', 1)[0];
  return line ? `“${ellipsize(line, 60)}”` : undefined;
}

/** Deduplicates events: pages can overlap. */
export function uniqueEvents(pages: readonly ConversationPage[]): JsonObject[] {
  const seen = new Set<unknown>();
  return pages
    .flatMap(({ events }) => events)
    .filter(({ event_id }) => {
      const isNew = event_id === undefined || !seen.has(event_id);
      seen.add(event_id);
      return isNew;
    });
}

/** Runs of at least this many redacted messages are folded. */
const minFoldedRun = 3;

/**
 * Groups consecutive redacted messages of one sender.
 *
 * @param separateId the event that is never grouped
 */
export function groupRedacted(events: readonly JsonObject[], separateId: string): JsonObject[][] {
  const isRedacted = (event: JsonObject | undefined) =>
    event !== undefined && event.event_id !== separateId && eventContent(event).kind === 'redacted';
  const runs: JsonObject[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const isRun = isRedacted(event) && isRedacted(last?.[0]) && last?.[0]?.sender === event.sender;
    if (last && isRun) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length < minFoldedRun ? run.map((event) => [event]) : [run]));
}

/** Returns display names by user ID; later pages win. */
export const namesOf = (pages: readonly ConversationPage[]): ReadonlyMap<string, string> =>
  new Map(pages.flatMap(({ names }) => [...names]));

const maxPauseMs = 5 * 60_000;

/** Whether an event continues the previous one's byline. */
export function continues(before: JsonObject | undefined, event: JsonObject): boolean {
  if (!before || before.sender !== event.sender) return false;
  const gap = (amount(event.origin_server_ts) ?? 0) - (amount(before.origin_server_ts) ?? 0);
  return Math.abs(gap) < maxPauseMs;
}

/** A redaction this far from a "redact all messages" of its sender has another cause. */
const maxTaskMs = 24 * 3_600_000;

/**
 * Returns the admin who had an event redacted. The event itself can't say: homeservers redact all messages of a user in
 * that user's name, or in the name of a privileged member.
 *
 * @param entries the log on the event and its sender
 * @param at when it was redacted, in milliseconds since the Unix epoch
 */
export const redactedByTeam = (entries: readonly TeamEntry[], at: number | undefined) =>
  entries.find(
    (entry): entry is { type: 'action' } & ActionEntry =>
      entry.type === 'action' &&
      entry.outcome === 'done' &&
      (entry.action === 'redact-event' ||
        (entry.action === 'redact-user' && at !== undefined && Math.abs(entry.at - at) < maxTaskMs)),
  )?.by;

/** Returns a function that finds the admin who had an event redacted, by the team's log. */
export function useTeamRedactor(roomId: string): (event: JsonObject) => string | undefined {
  const team = useTeam();
  return useCallback(
    (event) => {
      const [eventId, sender] = [text(event.event_id), text(event.sender)];
      const subjects: Subject[] = [
        ...(eventId === undefined ? [] : [{ kind: 'event' as const, roomId, eventId }]),
        ...(sender === undefined ? [] : [{ kind: 'user' as const, userId: sender }]),
      ];
      const redaction = object(object(event.unsigned)?.redacted_because);
      return redactedByTeam(team.timeline(...subjects), amount(redaction?.origin_server_ts));
    },
    [team, roomId],
  );
}

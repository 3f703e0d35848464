/** What a conversation derives from its events. */
import { expect, test } from 'vitest';
import { groupRedacted, redactedByTeam } from '../../renderer/subjects/conversation/conversation-events.ts';
import type { ActionEntry, TeamEntry } from '../../shared/team/entries.ts';

test('consecutive redacted messages of a user are grouped, except the reported one', () => {
  const event = (id: number, sender: string, isRemoved: boolean) => ({
    type: 'm.room.message',
    event_id: `$${id}`,
    sender,
    content: isRemoved ? {} : { body: 'x' },
  });
  const events = [
    event(1, '@eve:b', true),
    event(2, '@eve:b', true),
    event(3, '@eve:b', true),
    event(4, '@ada:b', true),
    event(5, '@ada:b', true),
    event(6, '@eve:b', false),
    ...[7, 8, 9, 10].map((id) => event(id, '@eve:b', true)),
  ];
  const ids = (apart: string) =>
    groupRedacted(events, apart).map((run) => run.map(({ event_id }) => event_id).join());
  expect(ids('$10')).toEqual(['$1,$2,$3', '$4', '$5', '$6', '$7,$8,$9', '$10']);
  expect(ids('$8')).toEqual(['$1,$2,$3', '$4', '$5', '$6', '$7', '$8', '$9', '$10']);
});

const redactedAt = Date.UTC(2026, 0, 10);
const hours = 3_600_000;

test.each<[string, Partial<ActionEntry>, number | undefined, boolean]>([
  ['by its own redaction', { action: 'redact-event' }, undefined, true],
  ['not by one that failed', { action: 'redact-event', outcome: 'failed' }, undefined, false],
  ['not by another action', { action: 'suspend-user' }, redactedAt, false],
  ["by a redaction of the user's events within a day", { at: redactedAt - 23 * hours }, redactedAt, true],
  ['not by one a day before', { at: redactedAt - 24 * hours }, redactedAt, false],
  ['not by one at an unknown time', {}, undefined, false],
])('an event was redacted by a colleague: %s', (_, changes, at, isByTeam) => {
  const entry = { type: 'action', action: 'redact-user', outcome: 'done', by: '@ann:h', at: redactedAt };
  const entries = [{ ...entry, ...changes } as unknown as TeamEntry];
  expect(redactedByTeam(entries, at)).toBe(isByTeam ? '@ann:h' : undefined);
});

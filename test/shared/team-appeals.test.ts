import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appealsIn } from '../../shared/team/appeals.ts';
import type { ActionEntry, LogEntry } from '../../shared/team/entries.ts';
import { eventOf, readEntry } from '../../shared/team/room-events.ts';

const mallory = { kind: 'user', userId: '@mallory:h' } as const;
const of = { action: 'suspend-user', by: '@ada:h', at: 5 };

let ids = 0;
const entry = (at: number, by: string, action: string, more: Partial<ActionEntry> = {}): LogEntry => ({
  id: `$${ids++}`,
  by,
  at,
  body: {
    type: 'action',
    action,
    subject: mallory,
    reports: [],
    outcome: 'done',
    appeal: { id: 'a' },
    ...more,
  },
});
const recorded = entry(10, '@ben:h', 'appeal', { detail: 'It was a joke', appeal: { id: 'a', of } });

test('the last decision about an appeal counts, unless it is by the moderator who acted', () => {
  const entries = [
    recorded,
    entry(11, '@ada:h', 'deny-appeal'),
    entry(12, '@ben:h', 'deny-appeal'),
    entry(13, '@cleo:h', 'uphold-appeal', { reason: 'Harmless' }),
    entry(14, '@cleo:h', 'uphold-appeal', { appeal: { id: 'unknown' } }),
  ];
  const all = fc.shuffledSubarray(entries, { minLength: entries.length });
  fc.assert(
    fc.property(all, (log) => {
      expect(appealsIn(log)).toEqual([
        {
          id: 'a',
          userId: '@mallory:h',
          text: 'It was a joke',
          of,
          by: '@ben:h',
          at: 10,
          decision: { isUpheld: true, by: '@cleo:h', at: 13, reason: 'Harmless' },
        },
      ]);
    }),
  );
  const reopened = entry(20, '@cleo:h', 'uphold-appeal', { outcome: 'undone' });
  expect(appealsIn([...entries, reopened])[0]?.decision).toBeUndefined();
  const withdrawn = entry(30, '@ben:h', 'appeal', { outcome: 'undone', appeal: { id: 'a', of } });
  expect(appealsIn([...entries, withdrawn])).toEqual([]);
});

test("an appeal is read back from the room, malformed ones aren't", () => {
  const { type, content } = eventOf(recorded, 10);
  const event = { type, sender: '@ben:h', event_id: '$e', origin_server_ts: 10 };
  expect(readEntry({ ...event, content })?.body).toEqual(recorded.body);
  const wrong = readEntry({ ...event, content: { ...content, appeal: { id: 7 } } });
  expect(wrong?.body).toMatchObject({ action: 'appeal' });
  expect(wrong?.body).not.toHaveProperty('appeal');
});

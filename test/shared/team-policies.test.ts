/** Policies, strikes and the team's log entries about them, without a page. */
import { describe, expect, test } from 'vitest';
import { newDocumentKey } from '../../shared/team/documents.ts';
import type { TeamEntry } from '../../shared/team/entries.ts';
import {
  type Policy,
  policiesIn,
  recommended,
  strikeUnder,
  templateIn,
  usablePolicies,
} from '../../shared/team/policies.ts';
import { activeStrikes, totalWeight } from '../../shared/team/strikes.ts';

const day = 86_400_000;
const spam: Policy = {
  name: 'Spam',
  text: 'No advertising.',
  severity: 'low',
  weight: 1,
  expires_days: 90,
  ladder: [
    { strikes: 3, action: 'take-down-user' },
    { strikes: 1, action: 'warn-user' },
    { strikes: 2, action: 'suspend-user', days: 7 },
  ],
  templates: { de: 'Hallo', en: 'Hello' },
};

test.each([
  [0, undefined],
  [1, 'warn-user'],
  [2, 'suspend-user'],
  [3, 'take-down-user'],
  [12, 'take-down-user'],
])('with %d strikes, the ladder recommends %s', (strikes, action) => {
  expect(recommended(spam, strikes)?.action).toBe(action);
});

test.each([
  ['de-AT', 'Hallo'],
  ['fr', 'Hello'],
])('the template in %s is %s', (language, expected) => {
  expect(templateIn(spam, language)).toBe(expected);
});

test('a policy without weight adds no strike, and one without days a permanent one', () => {
  expect(strikeUnder(spam, 1000)).toEqual({ weight: 1, until: 1000 + 90 * day });
  expect(strikeUnder({ ...spam, expires_days: null }, 1000)).toEqual({ weight: 1, until: null });
  expect(strikeUnder({ ...spam, weight: 0 }, 1000)).toBeUndefined();
});

test("malformed documents aren't policies, and drafts can't be used", () => {
  const by = { by: '@ada:h', at: 1 };
  const documents = new Map([
    ['b', { content: { ...spam, name: 'Threats' }, ...by }],
    ['a', { content: { ...spam }, ...by }],
    ['draft', { content: { ...spam, name: 'Draft', draft: true }, ...by }],
    ['broken', { content: { name: 'Broken' }, ...by }],
  ]);
  expect(policiesIn(documents).map(({ key }) => key)).toEqual(['draft', 'a', 'b']);
  expect(usablePolicies(documents).map(({ key }) => key)).toEqual(['a', 'b']);
});

test.each([
  ['Spam & scams', 'spam-scams'],
  ['Spam', 'spam-2'],
  ['Überlastung', 'uberlastung'],
  ['垃圾', 'policy'],
])('the key of a policy named %s is %s', (name, key) => {
  expect(newDocumentKey(name, new Set(['spam']), 'policy')).toBe(key);
});

describe('strikes', () => {
  const entry = (
    at: number,
    action: string,
    outcome: 'done' | 'failed' | 'undone',
    id: string,
    until = 100,
  ) =>
    ({
      type: 'action',
      action,
      outcome,
      subject: { kind: 'user', userId: '@m:h' },
      reports: [],
      strike: { id, weight: 1, until },
      by: '@ada:h',
      at,
    }) satisfies TeamEntry;
  const active = (entries: TeamEntry[], now = 50) =>
    activeStrikes(
      entries.toSorted((a, b) => b.at - a.at),
      now,
    ).map(({ id }) => id);

  test('are added by successful actions, not failed ones', () => {
    expect(active([entry(1, 'warn-user', 'done', 'a'), entry(2, 'suspend-user', 'failed', 'b')])).toEqual([
      'a',
    ]);
  });

  test('are removed by an undo, or by an action that an undo reverts', () => {
    const added = entry(1, 'suspend-user', 'done', 'a');
    const removed = entry(3, 'remove-strike', 'done', 'a');
    expect(active([added, entry(2, 'suspend-user', 'undone', 'a')])).toEqual([]);
    expect(active([added, removed])).toEqual([]);
    expect(active([added, removed, entry(4, 'remove-strike', 'undone', 'a')])).toEqual(['a']);
  });

  test('of several steps are one', () => {
    const steps = [entry(1, 'suspend-user', 'done', 'a'), entry(2, 'redact-user', 'done', 'a')];
    expect(totalWeight(activeStrikes(steps.toReversed(), 50))).toBe(1);
  });

  test('added twice are one, and are added again after they expired or were removed', () => {
    const twice = [entry(1, 'warn-user', 'done', 'a', 10), entry(2, 'warn-user', 'done', 'a', 11)];
    expect(activeStrikes(twice.toReversed(), 5)).toMatchObject([{ at: 1, until: 10 }]);
    const again = [...twice, entry(20, 'warn-user', 'done', 'a', 30)];
    expect(activeStrikes(again.toReversed(), 25)).toMatchObject([{ at: 20, until: 30 }]);
    const undone = [entry(1, 'warn-user', 'done', 'a', 30), entry(2, 'warn-user', 'undone', 'a', 30)];
    const redone = [...undone, entry(3, 'warn-user', 'done', 'a', 40)];
    expect(activeStrikes(redone.toReversed(), 25)).toMatchObject([{ at: 3, until: 40 }]);
  });

  test('expire, earliest first', () => {
    const all = [entry(1, 'warn-user', 'done', 'late', 200), entry(2, 'warn-user', 'done', 'early', 100)];
    expect(active(all)).toEqual(['early', 'late']);
    expect(active(all, 100)).toEqual(['late']);
  });
});

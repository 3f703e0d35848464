/** Time limits and scheduled actions, without a page: their times, and the console that carries them out. */
import { describe, expect, test } from 'vitest';
import { timingOf } from '../../renderer/actions/panel/timing.ts';
import { claimOf, nextStep, type OwnClaim } from '../../shared/team/claims.ts';
import { documentsOf, foldDocuments, type Version } from '../../shared/team/documents.ts';
import type { TeamEntry } from '../../shared/team/entries.ts';
import { laterDecision, type ScheduledAction, scheduledIn } from '../../shared/team/scheduled.ts';

const minute = 60_000;
const content = {
  action: 'unsuspend-user',
  subject: { kind: 'user', user_id: '@m:h' },
  at: 1000,
  by: '@ada:h',
  ends: 'suspend-user',
};
const version = (at: number, page?: string, body: object | null = content): Version => ({
  id: `$${at}${page ?? ''}`,
  by: page ? `@${page}:h` : '@ada:h',
  at,
  body: {
    type: 'document',
    kind: 'scheduled',
    key: 'k',
    content: body && { ...body, ...(page && { claimed: { by: `@${page}:h`, at, page } }) },
  },
});
const deleted = (at: number) => version(at, undefined, null);

describe('a due action is claimed', () => {
  test.each([
    ['by no one yet', [version(1)], 'unclaimed'],
    ['by this console', [version(1), version(2, 'a')], 'own'],
    [
      'again by another one, whose void claim was earlier',
      [version(1, 'b'), version(2, 'a'), version(3, 'b')],
      'own',
    ],
    ['by the one whose claim is the earliest', [version(1), version(2, 'b'), version(3, 'a')], 'others'],
    ['and done', [version(1), version(2, 'a'), deleted(3)], 'over'],
    ['and done, although another one claims it later', [version(1), deleted(3), version(4, 'a')], 'over'],
  ] as const)('%s', (_, versions, expected) => {
    expect(claimOf(versions, 'a', 10)).toBe(expected);
  });

  test('again once the claim is ten minutes old', () => {
    const versions = [version(1), version(2, 'b')];
    expect(claimOf(versions, 'a', 2 + 10 * minute - 1)).toBe('others');
    expect(claimOf(versions, 'a', 2 + 10 * minute)).toBe('unclaimed');
  });
});

describe('a console with a claim', () => {
  const visible = (now: number) => ({ now, isHidden: false });
  const own = [version(1), version(2, 'a')];
  test.each<[string, OwnClaim | undefined, number, string]>([
    ['waits until its claim arrives', { putAt: 0 }, 20_000, 'wait'],
    ['waits for claims of the same time', { putAt: 0, returnedAt: 1000 }, 30_000, 'wait'],
    ['runs', { putAt: 0, returnedAt: 1000 }, 31_000, 'run'],
    ['runs on a slow server', { putAt: 0, returnedAt: 15_000 }, 45_000, 'run'],
    ['claims again after a late claim', { putAt: 0, returnedAt: 16_000 }, 60_000, 'claim'],
    ['does nothing after it slept', { putAt: 0, returnedAt: 1000 }, 5 * minute, 'wait'],
  ])('%s', (_, claim, now, expected) => {
    expect(nextStep(own, 'a', claim, visible(now))).toBe(expected);
  });

  test('runs later if its page is hidden, and reads less often', () => {
    const claim = { putAt: 0, returnedAt: 1000 };
    expect(nextStep(own, 'a', claim, { now: 31_000, isHidden: true })).toBe('wait');
    expect(nextStep(own, 'a', claim, { now: 61_000, isHidden: true })).toBe('run');
  });

  test('of two simultaneous claims, one wins', () => {
    const both = [version(1), version(2, 'a'), version(3, 'b')];
    const claim = { putAt: 0, returnedAt: 1000 };
    expect(['a', 'b'].map((page) => nextStep(both, page, claim, visible(32_000)))).toEqual(['run', 'wait']);
  });
});

test('a deleted action stays deleted despite later claims', () => {
  const of = (versions: Version[]) =>
    scheduledIn({
      documents: (kind) => documentsOf(kind, foldDocuments(versions), []),
      documentVersions: () => versions,
    }).map(({ key, since, claimed }) => [key, since, claimed?.page]);
  expect(of([version(1), version(5, 'a')])).toEqual([['k', 1, 'a']]);
  expect(of([version(1), deleted(3), version(5, 'a')])).toEqual([]);
  expect(of([version(1, undefined, { ...content, at: 'soon' })])).toEqual([]);
});

test.each([
  ['an earlier suspension', 'suspend-user', 4, false],
  ['a later suspension', 'suspend-user', 6, true],
  ['a later end', 'unsuspend-user', 6, true],
  ['another action', 'lock-user', 6, false],
])('a time limit against %s', (_, action, at, expected) => {
  const scheduled = { ...content, key: 'k', since: 5 } as ScheduledAction;
  const entry = { type: 'action', action, outcome: 'done', by: '@ben:h', at } as TeamEntry;
  expect(laterDecision(scheduled, [entry]) !== undefined).toBe(expected);
});

describe('the fields of a panel', () => {
  const day = 24 * 60 * minute;
  const now = new Date('2026-03-01T10:00').getTime();
  const noon = new Date('2026-03-01T12:00').getTime();
  test.each([
    ['nothing', {}, {}],
    ['7 days', { limitFor: '7' }, { limit: now + 7 * day }],
    ['until noon', { limitFor: 'until', limitAt: '2026-03-01T12:00' }, { limit: noon }],
    ['at noon', { when: 'at', runAt: '2026-03-01T12:00' }, { at: noon }],
    [
      'a day from noon on',
      { when: 'at', runAt: '2026-03-01T12:00', limitFor: '1' },
      { at: noon, limit: noon + day },
    ],
    ['a time that is over', { when: 'at', runAt: '2026-03-01T09:00' }, { fault: 'at' }],
    ['no time', { limitFor: 'until', limitAt: '' }, { fault: 'until' }],
    [
      'an end before the beginning',
      { when: 'at', runAt: '2026-03-01T12:00', limitFor: 'until', limitAt: '2026-03-01T11:00' },
      { at: noon, fault: 'until' },
    ],
  ])('for %s are read as times', (_, fields, expected) => {
    expect(timingOf(fields, now)).toEqual(expected);
  });
});

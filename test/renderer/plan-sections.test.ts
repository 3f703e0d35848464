/** The checklist of an upgrade plan. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { type PlanSection, planSections } from '../../renderer/features/upgrade/plan-sections.ts';
import { initially, nextSection } from '../../renderer/features/upgrade/use-checklist.ts';
import { planUpgrade } from '../../shared/upgrade/plan.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const sections = (from: string, to: string) => planSections(planUpgrade({ from, to, dialect: 'vendor' }));
const steps = (from: string, to: string) =>
  sections(from, to).map(({ id, steps }) => [id, ...steps.map(({ kind }) => kind)]);

test('an upgrade begins with the token, the wait and the backup, and ends with the checks', () => {
  const [prepare, ...rest] = steps('1.47.1', '1.52.0');
  expect(prepare).toEqual(['prepare', 'token', 'wait', 'back up']);
  expect(rest.at(-1)).toEqual(['after', 'check version', 'wait']);
  const [first, ...others] = rest.slice(0, -1);
  expect(first?.[0]).toBe('1.48.0');
  expect(first).not.toContain('back up');
  expect(first).toContain('check version');
  expect(others.length).toBeGreaterThan(0);
  for (const stop of others) expect(stop).toContain('upgrade');
  expect(others.at(-1)).not.toContain('check version');
});

test('a downgrade waits for nothing before it', () => {
  expect(steps('1.52.0', '1.49.0')[0]).toEqual(['prepare', 'token', 'back up']);
});

test('the versions are numbered if there are several', () => {
  const positions = (from: string, to: string) => sections(from, to).map(({ position }) => position);
  expect(positions('1.47.1', '1.52.0')).toEqual([undefined, '1 of 3', '2 of 3', '3 of 3', undefined]);
  expect(positions('1.48.0', '1.49.0')).toEqual([undefined, undefined, undefined]);
});

test('a plan without versions has no sections', () => {
  expect(sections('1.52.0', '1.52.0')).toEqual([]);
});

test('every item is listed once, and has an ID of its own', () => {
  const items = sections('1.47.1', '1.161.0').flatMap(({ items }) => items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  for (const section of sections('1.47.1', '1.161.0')) {
    const { requirements, groups, steps } = section;
    expect(section.items).toEqual([...requirements, ...groups.flatMap(({ items }) => items), ...steps]);
  }
});

test('next is the first section with steps to do, then with anything to do', () => {
  const all = sections('1.47.1', '1.52.0');
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const done = new Set(all.slice(0, 2).flatMap(({ steps }) => idsOf(steps)));
  expect(nextSection(all, new Set())?.id).toBe('prepare');
  expect(nextSection(all, done)?.id).toBe(all[2]?.id);
  const allSteps = new Set(all.flatMap(({ steps }) => idsOf(steps)));
  expect(nextSection(all, allSteps)?.id).toBe(
    all.find(({ items, steps }) => items.length > steps.length)?.id,
  );
  expect(nextSection(all, new Set(all.flatMap(({ items }) => idsOf(items))))).toBeUndefined();
});

test('up to 60 items are all shown, of more only the next section without completed ones before it', () => {
  const all = sections('1.47.1', '1.52.0');
  const shown = (count: number, done: ReadonlySet<string>) => {
    const [first, second, third] = all as [PlanSection, PlanSection, PlanSection];
    const items = Array.from({ length: count - first.items.length - second.items.length }, (_, index) => ({
      ...(third.items[0] as PlanSection['items'][number]),
      id: `item ${index}`,
    }));
    const { open, completed } = initially([first, second, { ...third, items }], done);
    return { open: [...open], completed };
  };
  const ids = all.slice(0, 3).map(({ id }) => id);
  const firstDone = new Set(all[0]?.items.map(({ id }) => id));
  expect(shown(60, firstDone)).toEqual({ open: ids, completed: 0 });
  expect(shown(61, firstDone)).toEqual({ open: [ids[1]], completed: 1 });
});

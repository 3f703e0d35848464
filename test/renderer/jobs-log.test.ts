/** The log of an action on hundreds of users: few entries, each item once, even if its page closes midway. */
import { expect, test } from 'vitest';
import type { Item } from '../../renderer/actions/items.ts';
import { actingConsoles } from './acting-consoles.tsx';
import type { Interfere } from './team-consoles.ts';

const on = actingConsoles();

test.each(['closes', 'crashes'])('many users are logged once, although the page %s', async (ends) => {
  let most = 8;
  // Once per user, because stalled requests are sent again.
  const answered = new Set<string>();
  const stall: Interfere = async ({ method, path }, forward) => {
    if (!path.includes('/v2/users/@person') && !path.includes('/v2/users/%40person')) return forward();
    const name = decodeURIComponent(path.split('/').at(-1) ?? '');
    if (method === 'PUT') {
      if (answered.size < most) answered.add(path);
      if (!answered.has(path)) await new Promise(() => {});
    }
    return { status: 200, body: { name, locked: method === 'PUT' } };
  };
  const items = Array.from(
    { length: 520 },
    (_, index): Item => ({ kind: 'user', userId: `@person${index}:localhost` }),
  );
  const first = on.open('admin', { interfere: stall });
  const begun = on.act(first, 'lock-user', items);
  await on.eventually(begun.text).toContain('8 of 520 done');

  if (ends === 'crashes') {
    // A crashing page gets no `pagehide` event.
    on.close(first);
    const key = 'gatehouse.actions.admin@team';
    const kept = first.storage.getItem(key) ?? '';
    expect(kept.match(/"state":"done"/g)).toHaveLength(8);
    first.storage.setItem(key, kept.replaceAll(/"beat":\d+/g, '"beat":0'));
  }
  const next =
    ends === 'crashes'
      ? on.open('admin', { storage: first.storage, interfere: stall })
      : on.reload(first, stall);
  const job = on.find(next, begun);
  const logged = () => {
    const entries = on.log(next);
    // One entry covers many users.
    expect(entries.length).toBeLessThan(5);
    return entries.reduce((sum, { count = 0 }) => sum + count, 0);
  };
  expect(job.text()).toContain('8 of 520 done, 4 unanswered');
  most = Number.POSITIVE_INFINITY;
  if (ends === 'closes') {
    expect(logged()).toBe(8);
    job.resume();
    await on.eventually(job.text).toContain('520 of 520 done');
    await on.eventually(logged).toBe(520);
  }
  job.dismiss();
  await on.eventually(logged).toBe(ends === 'closes' ? 520 : 8);
});

test('each of over 500 deleted reports is logged with its subject', async () => {
  const people = 3;
  const items = Array.from({ length: 1_101 }, (_, index): Item => {
    const reportId = 1_101 - index;
    return {
      kind: 'filed',
      of: 'user',
      reportId,
      about: `@spammer${(reportId - 1) % people}:localhost`,
      by: '@bob:localhost',
      at: 1_700_000_000_000 + reportId,
      reason: 'Spam',
    };
  });
  const admin = on.open('admin', {
    interfere: async ({ method, path }, forward) => {
      if (method !== 'DELETE') return forward();
      // Another moderator deleted it first.
      return path.endsWith('/user_reports/17')
        ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Gone' } }
        : { status: 200, body: {} };
    },
  });
  admin.team.mark([1_101, 1_100, 1_099], 'reviewed', 'user_report');
  const job = on.act(admin, 'delete-report', items);
  await on.eventually(job.text).toContain('1,101 reports deleted');
  const entries = on.log(admin);
  expect(entries.length).toBeLessThan(10);
  expect(new Set(entries.map(({ of }) => of))).toEqual(new Set(['user_report']));
  const named = entries.flatMap(({ reports }) => reports as number[]);
  expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_101 }, (_, index) => index + 1));
  expect(entries.at(-1)).toMatchObject({ reports: [17], detail: 'was gone already' });
  // No status changed.
  const kept: { body: { state?: string } }[] = JSON.parse(
    admin.storage.getItem('gatehouse.team.admin@team') ?? '[]',
  );
  expect(kept.filter(({ body }) => body.state === 'open')).toEqual([]);
  for (const { subject, others } of entries.slice(0, -1)) {
    const about: { userId: string }[] = [subject, ...others];
    expect(new Set(about.map(({ userId }) => userId)).size).toBe(people);
  }
});

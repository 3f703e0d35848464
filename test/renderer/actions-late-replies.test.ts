/** Late replies, after the user stopped or continued the job or checked its outcome. */
import { expect, test } from 'vitest';
import type { Item } from '../../renderer/actions/items.ts';
import type { IncomingReply } from '../../shared/connection.ts';
import { actingConsoles, holding } from './acting-consoles.tsx';
import { actingScene } from './acting-scene.ts';
import type { Interfere, TeamConsole } from './team-consoles.ts';

const on = actingConsoles();
const enc = encodeURIComponent;

const inDeletions =
  (meddle: Interfere): Interfere =>
  (request, forward) =>
    request.method === 'DELETE' ? meddle(request, forward) : forward();

/** Returns the IDs of the reports that the log lists as deleted. */
const deletedInLog = (opened: TeamConsole) =>
  on
    .log(opened)
    .filter(({ action, outcome }) => action === 'delete-report' && outcome === 'done')
    .flatMap(({ reports }) => reports as number[]);

test('stopped and resumed deletions are logged once, even with late replies', async () => {
  const { roomId, reportIds, eventIds } = await actingScene(on.homeserver, { messages: 30 });
  const { held, hold } = holding();
  const admin = on.open('admin', { interfere: inDeletions(hold) });
  const items = reportIds.map(
    (reportId, index): Item => ({
      kind: 'filed',
      of: 'event',
      reportId,
      about: eventIds[index] ?? '',
      roomId,
    }),
  );
  const job = on.act(admin, 'delete-report', items);
  await on.eventually(() => held.length).toBe(4);
  job.stop();
  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain('30 reports deleted');
  expect(deletedInLog(admin)).toHaveLength(30);
  for (const { goOn } of held) goOn();
  // Enough time to finish the work after the last reply.
  await on.pass(3_000);
  expect(deletedInLog(admin).toSorted()).toEqual(reportIds.toSorted());
});

test('a deletion found done before its reply is logged once', async () => {
  const bob = on.homeserver.as('bob').userId;
  for (let each = 1; each <= 6; each++) {
    await on.homeserver
      .as('alice')
      .post(`/_chat/client/v3/users/${enc(bob)}/report`, { reason: `Rude ${each}` });
  }
  const { body } = await on.homeserver.as('admin').get('/_service/admin/v1/user_reports');
  const items = body.user_reports.map(
    ({ id }: { id: number }): Item => ({ kind: 'filed', of: 'user', reportId: id, about: bob }),
  );
  expect(items).toHaveLength(6);
  const replies: (() => void)[] = [];
  const admin = on.open('admin', {
    interfere: inDeletions(async (_, forward) => {
      const released = Promise.withResolvers<void>();
      const place = replies.push(released.resolve) - 1;
      // The first three requests arrive and their replies are delayed; the fourth request is delayed itself.
      const reply: IncomingReply | undefined = place < 3 ? await forward() : undefined;
      await released.promise;
      return reply ?? forward();
    }),
  });
  const job = on.act(admin, 'delete-report', items);
  await on.eventually(() => replies.length).toBe(4);
  job.stop();
  await on.eventually(job.text).toContain('Check status');
  await job.check();
  await on.eventually(job.text).toMatch(/3 of 6 done/);
  for (const release of replies) release();
  await on.eventually(job.text).toMatch(/4 of 6 done/);
  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain('6 reports deleted');
  const deleted = deletedInLog(admin);
  expect(deleted).toHaveLength(6);
  expect(new Set(deleted).size).toBe(6);
  const details = on.log(admin).map(({ detail }) => detail);
  expect(details.filter((detail) => /gone already/.test(detail))).toEqual([]);
});

test("tasks that end after resuming don't stop the rest", async () => {
  const users = await on.users(9);
  let status = 'active';
  let asked = 0;
  const begun: ((task: string) => void)[] = [];
  const admin = on.open('admin', {
    interfere: async ({ method, path }, forward) => {
      if (path.includes('/redact_status/')) {
        asked += 1;
        return { status: 200, body: { status, failed_redactions: {} } };
      }
      if (method !== 'POST' || !path.endsWith('/redact')) return forward();
      return new Promise((resolve) => {
        begun.push((task) => resolve({ status: 200, body: { redact_id: task } }));
      });
    },
  });
  const items = users.map((userId): Item => ({ kind: 'user', userId }));
  const job = on.act(admin, 'redact-user', items, { fields: { limit: 1000 } });
  await on.eventually(() => begun.length).toBe(4);
  job.stop();
  for (const [index, answer] of begun.entries()) answer(`task ${index}`);
  await on.eventually(() => asked).toBeGreaterThan(3);
  job.resume();
  await on.eventually(() => begun.length).toBe(8);
  status = 'complete';
  await on.eventually(job.text).toMatch(/4 of 9 done/);
  // Longer than the status takes to appear.
  await on.pass(2_000);
  expect(job.text()).toContain('Stop');
  for (const answer of begun.slice(4)) answer('task');
  await on.eventually(() => begun.length).toBe(9);
  begun[8]?.('last');
  await on.eventually(job.text).toMatch(/9 of 9 done/);
});

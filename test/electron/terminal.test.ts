/** A closed terminal: writes to it fail. With `--sample-data`, which prints to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { type App, launchApp } from './app.ts';

function closeTerminal({ process }: App): void {
  process.stdout?.destroy();
  process.stderr?.destroy();
}

async function reports(app: App): Promise<unknown> {
  const added = await app.invoke('connections:add-local', undefined);
  if (!added.ok) throw new Error(added.failure.message);
  const path = '/_service/admin/v1/event_reports?limit=1';
  const reply = await app.invoke('request', { connectionId: added.value.id, method: 'GET', path });
  return reply.ok && reply.value.body;
}

test('the app survives its terminal, its log has the output, and a reset server stays empty with any start options', async () => {
  await using app = launchApp({ arguments: ['--sample-data'] });
  closeTerminal(app);
  await app.open();
  // The homeserver prints its progress with the sample data. On a slow computer, that takes longer than the app waits.
  expect(await until(() => reports(app))).toMatchObject({ total: 250 });
  const log = () => readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8');
  expect(log()).not.toContain('crashed');

  await app.command('failUtilityProcess', { location: 'Heap::AllocateRaw' });
  await expect.poll(log).toContain('local server: crashed');
  expect(await reports(app)).toMatchObject({ total: 250 });

  const reset = app.invoke('local-server:reset', undefined);
  await (await app.nextDialog()).answer('Reset server');
  expect(await reset).toMatchObject({ ok: true });
  expect(await reports(app)).toMatchObject({ total: 0 });
  expect(await app.quit()).toBe(0);
  expect(log()).not.toContain('EPIPE');
});

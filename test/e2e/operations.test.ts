/** Operations: sign-in, tasks and upgrades. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServices } from '../../server/app/services.ts';
import { createRoom } from '../../server/conversation/rooms/creation/create-room.ts';
import { appendEvents } from '../../server/conversation/rooms/events/append-events.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { inTransaction } from '../../server/platform/database/transaction.ts';
import { type Administrator, administratorOf } from './homeserver-client.ts';
import { openScreen, type RunningHost, testedHosts, why } from './hosts.ts';

const updates = '/_service/admin/v1/background_updates';

describe.each(testedHosts)('in $name', (host) => {
  let running: RunningHost;
  let administrator: Administrator;
  beforeAll(async () => {
    if (host.missing) return;
    running = await host.start();
    administrator = await administratorOf(running);
  }, 180_000);
  afterAll(() => running?.close());

  test.skipIf(host.missing)(`starts signed in to the local server${why(host.missing)}`, async () => {
    const { page } = running;
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Reports/ })
      .waitFor();
    const versions = await fetch(`${running.homeserverUrl}/_chat/client/versions`);
    expect(versions.status).toBe(200);
    // The login token isn't left in the URL, and the path is one of the console's.
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//);
    expect(page.url()).not.toContain('login_token');
  });

  test.skipIf(host.missing)(`an admin watches a task become complete${why(host.missing)}`, async () => {
    const { page, dataDir } = running;
    const roomId = await longRoom(dataDir);

    await openScreen(page, 'Tasks');
    await page.getByText(/No tasks/i).waitFor();
    const status = (name: RegExp) => page.getByRole('row').filter({ hasText: roomId }).getByText(name);
    const { body } = await administrator.post(
      `/_service/admin/v1/purge_history/${encodeURIComponent(roomId)}`,
      {
        purge_up_to_ts: Date.now(),
        delete_local_events: true,
      },
    );
    expect(body.purge_id).toEqual(expect.any(String));

    using held = holdWhileActive(dataDir, body.purge_id as string);
    await page.keyboard.press('r');
    await status(/Running/).waitFor();
    held.release();
    // The screen polls while a task is active.
    await status(/Complete/).waitFor();
  });

  test.skipIf(host.missing)(`an admin follows an upgrade plan to its end${why(host.missing)}`, async () => {
    const { page, homeserverUrl } = running;
    const { body } = await administrator.get('/_service/admin/v1/server_version');

    // The built-in homeserver is up to date. Plans for older versions can still be opened.
    await page.getByRole('link', { name: /^Upgrade/ }).click();
    await page.getByRole('heading', { name: `No upgrade needed: v${body.server_version}` }).waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('1.98.0');
    await page.keyboard.press('Enter');
    const firstStop = page.getByRole('button', { name: /^Version 1 of 4: 1\.100\.0\./ });
    await firstStop.click();
    const commands = page.getByText(`'${homeserverUrl}/_service/admin/v1/server_version'`);
    await commands.first().waitFor();

    const backUp = page.getByRole('checkbox', { name: /^Back up: / }).first();
    await backUp.click();
    await page.getByText(/^1 of \d+ done$/).waitFor();
    await page.reload();
    await page.getByText(/^1 of \d+ done$/).waitFor();
    await page.keyboard.press('e');
    expect(await backUp.isChecked()).toBe(true);

    // Unfinished background updates block the last step of the plan.
    await administrator.post(`${updates}/enabled`, { enabled: false });
    await administrator.post(`${updates}/start_job`, { job_name: 'populate_stats_process_rooms' });
    const check = page.getByRole('status', { name: 'Check', exact: true });
    const checkNow = page.getByRole('button', { name: 'Check now' });
    await checkNow.click();
    await check.getByText(/1 background update pending \(\w+\)/).waitFor();
    const wait = page.getByRole('region', { name: /^After/ }).getByRole('checkbox', { name: /^Wait: / });
    expect(await wait.isChecked()).toBe(false);

    await administrator.post(`${updates}/enabled`, { enabled: true });
    await expect
      .poll(async () => (await administrator.get(`${updates}/status`)).body.current_updates)
      .toEqual({});
    await checkNow.click();
    await check.getByText('Plan complete.').waitFor();
    await expect.poll(() => wait.isChecked()).toBe(true);
  });
});

/**
 * Locks the homeserver's database between two steps of the task, as another process could. Reads continue, and the
 * task waits.
 */
function holdWhileActive(dataDir: string, taskId: string) {
  const database = new SqliteDatabase(join(dataDir, 'homeserver.db'), { timeout: 0 });
  const statusOf = database.prepare('select status from scheduled_tasks where id = ?').pluck();
  // The server commits often, so the lock can only be taken by polling without a pause.
  for (;;) {
    if (!beginWriting(database)) continue;
    const status = statusOf.get(taskId);
    if (status === 'active') break;
    database.exec('rollback');
    if (status !== 'scheduled') throw new Error(`the task was ${status} before it could be held`);
  }
  const release = () => void database.close();
  return { release, [Symbol.dispose]: release };
}

/** Returns false if another process has the write lock. */
function beginWriting(database: SqliteDatabase.Database): boolean {
  try {
    database.exec('begin immediate');
    return true;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/** Creates a room with a history long enough to make purging slow. */
async function longRoom(dataDir: string): Promise<string> {
  const services = await openServices(await loadConfig({ dataDir }));
  const sender = '@auditor:localhost';
  try {
    const roomId = await createRoom(services, sender, { preset: 'public_chat', name: 'Long' });
    await inTransaction(services.db, async (tx) => {
      const drafts = Array.from({ length: 8_000 }, (_, index) => ({
        type: 'm.room.message',
        sender,
        content: { msgtype: 'm.text', body: `message ${index}` },
      }));
      await appendEvents(tx, services, roomId, drafts);
    });
    return roomId;
  } finally {
    await services.db.destroy();
  }
}

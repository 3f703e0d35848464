/** An action's server task appears in the task list at once, from any screen. */
import { test } from 'vitest';
import { acting } from './acting.ts';

const admin = '/_service/admin';
const enc = encodeURIComponent;
const box = acting();
/** Shorter than the screens' refresh interval, in milliseconds. */
const atOnce = { timeout: 12_000 };

test('a task started on the tasks screen is listed at once', async () => {
  const { page } = box;
  const scene = await box.scene({ messages: 3 });
  const before = { purge_up_to_ts: Date.now(), delete_local_events: true };
  const path = `${admin}/v1/purge_history/${enc(scene.roomId)}`;
  const { purge_id } = (await box.homeserver.as('admin').post(path, before)).body;
  // A failed task can be restarted.
  await page.route('**/scheduled_tasks?**', async (route) => {
    const { scheduled_tasks } = await (await route.fetch()).json();
    const failed = (task: { id: string }) => (task.id === purge_id ? { ...task, status: 'failed' } : task);
    await route.fulfill({ json: { scheduled_tasks: scheduled_tasks.map(failed) } });
  });
  await box.open(`/tasks?resource=${enc(scene.roomId)}`);
  await page.getByRole('button', { name: 'Failed 1' }).waitFor();
  await page.getByRole('button', { name: 'Details: purge_history' }).click();
  await page.getByRole('button', { name: 'Purge history' }).click();
  const panel = await box.panel();
  await panel.getByLabel('Events before').fill('2100-01-01T00:00');
  await panel.getByRole('checkbox', { name: /^Include local users' messages/ }).check();
  await panel.getByRole('textbox', { name: /^Type / }).fill(scene.roomId.slice(1, 7));
  await panel.getByRole('button', { name: 'Purge history' }).click();
  await page.getByRole('button', { name: 'Complete 1' }).waitFor(atOnce);
});

test("an action's result is in the figures on Home at once", async () => {
  const { page } = box;
  const scene = await box.scene({ messages: 3 });
  let status = 'active';
  await page.route('**/purge_history_status/**', (route) =>
    route.fulfill({ json: { status, error: 'Full' } }),
  );
  await page.route('**/scheduled_tasks?status=failed', (route) => {
    const failed = { id: 'x', action: 'purge_history', status, timestamp_ms: Date.now() };
    return route.fulfill({ json: { scheduled_tasks: status === 'failed' ? [failed] : [] } });
  });
  await box.open(`/rooms/${enc(scene.roomId)}`);
  const panel = await box.choose(/^Purge history/);
  await panel.getByLabel('Events before').fill('2100-01-01T00:00');
  await panel.getByRole('checkbox', { name: /^Include local users' messages/ }).check();
  await panel.getByRole('textbox', { name: /^Type / }).fill(scene.name);
  await panel.getByRole('button', { name: 'Purge history' }).click();
  await page.getByRole('link', { name: 'Home' }).click();
  const tasks = page.getByRole('region', { name: 'Tasks', exact: true });
  await tasks.getByText('None failed').waitFor();
  status = 'failed';
  await tasks.getByText('1 failed').waitFor(atOnce);
});

/** Fills in the panel that purges a room's history, without submitting it. */
async function aboutToPurge() {
  const scene = await box.scene();
  await box.open(`/rooms/${enc(scene.roomId)}`);
  const panel = await box.choose(/^Purge history/);
  await panel.getByLabel('Events before').fill('2100-01-01T00:00');
  await panel.getByRole('checkbox', { name: /^Include local users' messages/ }).check();
  await panel.getByRole('textbox', { name: /^Type / }).fill(scene.name);
  // Its code isn't loaded from a server that disappears.
  await panel.getByRole('checkbox', { name: /^Hold evidence first/ }).uncheck();
  return { scene, purge: panel.getByRole('button', { name: 'Purge history' }) };
}

test("a server that disappears after starting a task doesn't break the screen or the row", async () => {
  const { page } = box;
  const { scene, purge } = await aboutToPurge();
  await page.waitForLoadState('networkidle');
  await page.route(/\/console\/assets\/|purge_history_status/, (route) => route.abort());
  await purge.click();
  const row = box.tray().getByRole('article', { name: `Purging the history of ${scene.name}` });
  // The task's status is unknown.
  await row.getByRole('status').getByText('Offline', { exact: true }).waitFor();
  await page.getByRole('heading', { name: scene.name }).waitFor();
  await page.unrouteAll();
  await box
    .tray()
    .getByRole('article', { name: `History of ${scene.name} purged` })
    .waitFor();
});

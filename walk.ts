import { launchChromium } from './test/chromium.ts';
import { readFile } from 'node:fs/promises';
const link = process.argv[2]!;
const base = link.replace(/\/console.*/, '/console');
const browser = await launchChromium();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', acceptDownloads: true });
const page = await context.newPage();
page.setDefaultTimeout(6000);
await page.addInitScript(() => { delete (window as any).showSaveFilePicker });
const requests: string[] = [];
page.on('request', (r) => requests.push(`${r.method()} ${r.url().replace(/^https?:\/\/[^/]+/, '')}`));
page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
const shot = (n: string) => page.screenshot({ path: `/tmp/admins-shots/${n}.png` });
const step = async (name: string, work: () => Promise<unknown>) => {
  try { const r = await work(); console.log('OK  ', name, r === undefined ? '' : JSON.stringify(r)); }
  catch (e) { console.log('FAIL', name, String(e).split('\n').slice(0, 6).join(' | ')); await shot('fail-' + name.replace(/\W+/g, '-')); }
};
await page.goto(link); await page.getByRole('link', { name: 'Home' }).waitFor({ timeout: 20000 });
await step('home requests', async () => { await page.waitForTimeout(1500); await shot('home'); return requests.filter((r) => /users\?|rooms\?|statistics/.test(r)); });
await page.goto(base + '/tasks'); await page.getByRole('table', { name: 'Tasks' }).waitFor();
await step('task columns', async () => {
  const heads = await page.getByRole('table', { name: 'Tasks' }).getByRole('columnheader').allInnerTexts();
  const out: any = {};
  for (const b of await page.getByRole('table', { name: 'Tasks' }).locator('thead button, [role=columnheader] button').all()) {
    const n = (await b.innerText()).trim(); if (!n) continue;
    await b.click(); await page.waitForTimeout(150);
    out[n] = page.url().replace(/.*\?/, '');
  }
  await shot('tasks-sorted');
  return { heads, out };
});
await page.goto(base + '/tasks'); await page.getByRole('table', { name: 'Tasks' }).waitFor();
await step('tasks j k', async () => {
  await page.waitForTimeout(300); await page.keyboard.press('j'); await page.keyboard.press('j'); await page.keyboard.press('k');
  return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
});
await step('tasks filters', async () => { await shot('tasks'); return page.locator('main input, main [role=combobox]').evaluateAll((a) => a.map((e) => (e as HTMLInputElement).ariaLabel ?? (e as any).placeholder ?? (e as any).labels?.[0]?.innerText)); });
await step('tasks empty drag', async () => {
  const url = page.url(); const n = await page.getByRole('status', { name: 'Tasks that match' }).textContent();
  const plot = page.getByRole('figure').locator('div').first(); const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + 3, box.y + 10); await page.mouse.down(); await page.mouse.move(box.x + 6, box.y + 10, { steps: 3 }); await page.mouse.up();
  await page.waitForTimeout(200);
  return { same: url === page.url(), n, now: await page.getByRole('status', { name: 'Tasks that match' }).textContent(), url: page.url() };
});
await step('tasks cancelled in address', async () => { await page.goto(base + '/tasks?status=%5B%22cancelled%22%5D'); await page.waitForTimeout(700); await shot('tasks-cancelled'); return (await page.locator('main').innerText()).slice(0, 300); });
await step('tasks failed retry', async () => {
  await page.goto(base + '/tasks?status=%5B%22failed%22%5D'); await page.getByRole('table', { name: 'Tasks' }).waitFor();
  await page.getByRole('button', { name: /^Details of/ }).first().click(); await page.waitForTimeout(1200); await shot('tasks-failed');
  return page.locator('main').getByRole('button').allInnerTexts();
});
// users
await page.goto(base + '/users'); await page.getByRole('table').waitFor();
await step('users range', async () => {
  const boxes = page.locator('[data-row] input[type=checkbox]'); await boxes.nth(1).click(); await boxes.nth(6).click({ modifiers: ['Shift'] });
  await page.getByText('6 selected').waitFor(); await shot('users-range');
  const bar = page.getByRole('toolbar').first(); return bar.getByRole('button').allInnerTexts();
});
await step('users lock many, export', async () => {
  await page.getByRole('button', { name: /^Lock 6 users/ }).click(); const d = page.getByRole('dialog'); await d.waitFor(); await page.waitForTimeout(400); await shot('users-lock-panel');
  const said = await d.innerText(); await d.getByRole('button', { name: /^Lock 6 users/ }).click();
  await page.waitForTimeout(1500); await shot('users-locked');
  return said;
});
await step('users many export', async () => {
  const job = page.getByRole('region', { name: 'Under way' });
  const t = await job.innerText({ timeout: 2000 }).catch(() => 'no tray'); return { t, status: await page.getByRole('status').allInnerTexts() };
});
await step('users all that match', async () => {
  await page.goto(base + '/users'); await page.getByRole('table').waitFor(); await page.locator('[data-row]').first().waitFor();
  await page.keyboard.press('A'); await page.getByText(/\d+ selected/).first().waitFor(); await shot('users-all');
  return page.getByText(/\d+ selected/).first().innerText();
});
await step('users typing', async () => {
  await page.goto(base + '/users'); await page.locator('[data-row]').first().waitFor(); const b = requests.length;
  await page.keyboard.press('/'); await page.keyboard.type('adabcde', { delay: 60 }); await page.waitForTimeout(1200);
  return requests.slice(b).filter((r) => /users\?/.test(r));
});
// own
await step('own deactivate', async () => {
  await page.goto(base + '/users/' + encodeURIComponent('@admin:localhost')); await page.getByRole('button', { name: 'More' }).first().waitFor(); await shot('own-page');
  await page.getByRole('button', { name: 'More' }).first().click(); await page.getByRole('menuitem').first().waitFor();
  const items = await page.getByRole('menuitem').allInnerTexts(); await shot('own-menu');
  await page.getByRole('menuitem', { name: /^Deactivate/ }).click(); await page.waitForTimeout(700); await shot('own-deactivate');
  const t = await page.getByRole('dialog').innerText(); await page.keyboard.press('Escape');
  return { items: items.map((i) => i.split('\n')[0]), t };
});
await step('own rights', async () => {
  await page.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: /administrator/i }).first().click(); await page.waitForTimeout(700); await shot('own-rights');
  const d = page.getByRole('dialog'); const t = await d.innerText(); await page.keyboard.press('Control+Enter'); await page.waitForTimeout(500); await shot('own-rights-2');
  return { t, after: await d.innerText() };
});
await step('palette', async () => {
  await page.keyboard.press('Escape'); await page.goto(base + '/users'); await page.locator('[data-row]').first().waitFor();
  await page.locator('[data-row] input[type=checkbox]').nth(3).click();
  await page.keyboard.press('Control+k'); await page.waitForTimeout(800); await shot('palette');
  return (await page.getByRole('dialog').getByRole('option').allInnerTexts()).map((t) => t.replace(/\n/g, ' · '));
});
await step('tokens', async () => { await page.goto(base + '/tokens'); await page.waitForTimeout(1000); await shot('tokens'); return (await page.locator('main').innerText()).slice(0, 400); });
await step('media', async () => { await page.goto(base + '/media'); await page.waitForTimeout(1000); await shot('media'); });
await step('rooms', async () => { await page.goto(base + '/rooms'); await page.locator('[data-row]').first().waitFor(); await page.locator('[data-row] a').first().click(); await page.getByRole('button', { name: 'More' }).first().waitFor(); await page.getByRole('button', { name: 'More' }).first().click(); await page.waitForTimeout(300); await shot('room-menu'); return (await page.getByRole('menuitem').allInnerTexts()).map((t) => t.split('\n')[0]); });
await step('upgrade', async () => { await page.goto(base + '/upgrade'); await page.waitForTimeout(1500); await shot('upgrade'); });
await step('upgrade from 1.47.1 to 1.161.0', async () => { await page.goto(base + '/upgrade?from=1.98.0&to=1.161.0'); await page.waitForTimeout(1500); await shot('upgrade-98'); return (await page.locator('main').innerText()).slice(0, 900); });
await browser.close();

/** CSV user import: a preview first, no data loss, and a results file. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { call } from '../server/homeserver.ts';
import { acting } from './acting.ts';

const box = acting('matrix');

async function paste(text: string) {
  const { page } = box;
  await box.open('/users');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('textbox', { name: 'Or paste' }).fill(text);
  await page.getByRole('button', { name: 'Preview import' }).click();
  return page.getByRole('table', { name: 'Users to import' });
}

const importUsers = (count: number) =>
  box.page.getByRole('button', { name: `Import ${count} user${count === 1 ? '' : 's'}` });

async function savedLines() {
  const { page } = box;
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save results as CSV' }).click(),
  ]);
  return (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
}

const wouldAsk = () =>
  box.page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

async function canSignIn(name: string, password: string) {
  const login = { type: 'm.login.password', identifier: { type: 'm.id.user', user: name }, password };
  return (await call(box.homeserver.url, 'POST', '/_chat/client/v3/login', undefined, login)).status === 200;
}

test('a CSV with quotes imports users as written, existing ones are named first, and passwords are kept until saved', async () => {
  const { page } = box;
  const table = await paste(
    [
      'username,displayname,email,password',
      'alpha,"Alpha, the First",alpha@example.org,',
      '"gamma","Gamma ""G"" Quoted",gamma@example.org,typed-password',
      'alice,Alicia,,',
      'broken,Broken,nowhere,',
    ].join('\r\n'),
  );
  await importUsers(2).waitFor();
  const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(name) });
  expect(await rowOf('@alice:').innerText()).toContain('Skip');
  expect(await rowOf('@broken:').innerText()).toContain('Invalid email');

  // Escape and leaving the screen both keep it.
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.goForward();
  await importUsers(2).click();
  await page.getByText('2 created').waitFor();
  expect(await wouldAsk()).toBe(true);
  const lines = await savedLines();
  expect(await wouldAsk()).toBe(false);
  expect(lines.map((line) => line.split(',')[2])).toEqual(['created', 'created', 'skipped', 'not imported']);
  const [, , result, password = ''] = lines[0]?.split(',') ?? [];
  expect(result).toBe('created');
  expect(await canSignIn('alpha', password)).toBe(true);
  expect(await canSignIn('gamma', 'typed-password')).toBe(true);
  expect(lines[1]).not.toContain('typed-password');
  expect(await box.user('@alpha:localhost')).toMatchObject({ displayname: 'Alpha, the First' });
  expect(await box.user('@gamma:localhost')).toMatchObject({ displayname: 'Gamma "G" Quoted' });
});

test("existing users are updated on request and keep properties that the file doesn't have", async () => {
  const { page } = box;
  await paste('username;Anzeigename;E-Mail;Typ\nbob;Robert;bob@example.org;bot');
  await page.getByText('Stop', { exact: true }).click();
  await page.getByText('Some users exist.').waitFor();
  await page.getByText('Update', { exact: true }).first().click();
  const before = await box.user('@bob:localhost');
  await importUsers(1).click();
  await page.getByText('1 updated').waitFor();
  expect(await box.user('@bob:localhost')).toMatchObject({
    displayname: 'Robert',
    user_type: 'bot',
    threepids: [{ address: 'bob@example.org' }],
    admin: before.admin,
    suspended: before.suspended,
  });
});

test('users of an identity provider get no password unless requested', async () => {
  const { page } = box;
  await paste('username,external id\nsingle1,oidc:1\nsingle2,oidc:2');
  await importUsers(2).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Generate missing passwords' }).isChecked()).toBe(false);
  await importUsers(2).click();
  await page.getByText('2 created').waitFor();
  expect((await savedLines())[0]).toMatch(/^single1,.*,created,,,2$/);
});

test('failed rows are retried, and users created without a reply keep their password', async () => {
  const { page } = box;
  await paste('again1\nagain2');
  // The request arrives, but its reply is lost.
  let isGone = true;
  await page.route(/\/v2\/users\/.*again2/, async (route) => {
    if (!isGone || route.request().method() !== 'PUT') return route.continue();
    await route.fetch();
    await route.abort('connectionrefused');
  });
  await importUsers(2).click();
  await page.getByText('1 created · 1 failed').waitFor();
  isGone = false;
  await page.getByRole('button', { name: 'Retry 1 user' }).click();
  await page.getByText('1 created · 1 failed').waitFor();
  const line = (await savedLines())[1] ?? '';
  const [, , result, password = ''] = line.split(',');
  expect(result).toBe('failed');
  expect(await canSignIn('again2', password)).toBe(true);
});

test('a stopped import finishes sent requests and resumes', async () => {
  const { page } = box;
  await paste(['username', ...Array.from({ length: 8 }, (_, index) => `stopped${index}`)].join('\n'));
  await importUsers(8).waitFor();
  const goesOn = Promise.withResolvers<void>();
  await page.route('**/v2/users/*stopped*', async (route) => {
    await goesOn.promise;
    await route.continue();
  });
  const sent = [0, 1, 2, 3].map((index) => page.waitForRequest(`**/v2/users/*stopped${index}*`));
  await importUsers(8).click();
  await Promise.all(sent);
  await page.getByRole('button', { name: 'Stop import' }).click();
  goesOn.resolve();
  await page.getByText('4 created', { exact: true }).waitFor();
  await page.getByText('Import stopped').waitFor();
  await page.getByRole('button', { name: 'Resume import' }).click();
  await page.getByText('8 created', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New import' }).click();
  await page.getByText('This discards the unsaved passwords.').waitFor();
  await page.getByRole('button', { name: 'Discard passwords' }).click();
  await page.getByRole('button', { name: 'Choose file' }).waitFor();
});

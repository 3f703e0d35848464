/** A decision based on a policy, and an expiring suspension, in a page. */
import { expect, test } from 'vitest';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();

const isCarolSuspended = async () => {
  const { body } = await team.homeserver.as('admin').get('/_service/admin/v2/users/@carol:localhost');
  return body.suspended;
};

test('a policy is created, used in a decision, adds a strike and appears in the log, and the strike is removed', async () => {
  await team.report(2);
  const page = await team.open('admin', '/reports/policies');
  await page.getByRole('button', { name: 'Create policy' }).click();
  const form = page.getByRole('dialog', { name: 'Create policy' });
  await form.getByLabel('Name').fill('Spam');
  await form.getByRole('button', { name: 'Add recommendation' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Spam' }).waitFor();

  await page.goto(page.url().replace('/policies', ''));
  await page.getByRole('row').first().or(page.getByRole('option').first()).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: /^Report \d/ }).waitFor();
  await page.keyboard.press('y');
  await page.getByRole('dialog', { name: 'Resolve as upheld' }).waitFor();
  await page.keyboard.press('1');
  await page.getByText(/^Report \d resolved · Upheld · Spam/).waitFor();

  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Suspend user/ })
    .waitFor();
  await page.keyboard.press('s');
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Policy').selectOption({ label: 'Spam' });
  await panel.getByText('Recommended at 1 strike: Suspend').waitFor();
  await panel.locator('form[aria-busy=false]').waitFor();
  await panel.getByRole('button', { name: /^Suspend user/ }).click();
  await expect.poll(isCarolSuspended).toBe(true);

  await page.goto(page.url().replace(/\/reports.*/, '/users/@carol:localhost'));
  await page.getByText(/^1 strike, expires/).waitFor();
  await page.getByText(/Spam · 1 strike/).waitFor();
  await page.getByRole('button', { name: 'Remove strike' }).click();
  await page.getByText(/^1 strike, expires/).waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await page.getByText(/^1 strike, expires/).waitFor();
  expect(team.problems).toEqual([]);
});

test('a time-limited suspension ends', async () => {
  const page = await team.open('admin', '/users/@carol:localhost', (opening) => opening.clock.install());
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Suspend user/ })
    .click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Duration').selectOption({ label: '1 day' });
  await panel.locator('form[aria-busy=false]').waitFor();
  await panel.getByRole('button', { name: /^Suspend user/ }).click();
  await page.getByText('Scheduled', { exact: true }).waitFor();
  expect(await isCarolSuspended()).toBe(true);
  await page.clock.fastForward(23 * 3_600_000);
  expect(await isCarolSuspended()).toBe(true);
  await page.clock.fastForward(2 * 3_600_000);
  await expect.poll(isCarolSuspended).toBe(false);
  await page.getByText('Scheduled', { exact: true }).waitFor({ state: 'detached' });
  await page.getByText('Scheduled by @admin:localhost').waitFor();
  expect(team.problems).toEqual([]);
});

test('without server notices a user is warned by direct message, twice in the same room', async () => {
  const page = await team.open('admin', '/users/@carol:localhost');
  const carol = team.homeserver.as('carol');
  const invites = async () =>
    Object.keys((await carol.get('/_chat/client/v3/sync')).body.rooms?.invite ?? {}).map(encodeURIComponent);
  const warn = async (text: string) => {
    await page.getByRole('toolbar').getByRole('button', { name: /^More/ }).waitFor();
    await page.keyboard.press('w');
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Message').fill(text);
    await panel.locator('form[aria-busy=false]').waitFor();
    await page.keyboard.press('Control+Enter');
    await panel.waitFor({ state: 'detached' });
  };
  await warn('Please stop, {user}.');
  // A warning that takes long is sent in the background.
  await expect.poll(invites).toHaveLength(1);
  const room = `/_chat/client/v3/rooms/${(await invites())[0]}`;
  await carol.post(`${room}/join`, {});
  const received = async () => {
    const { body } = await carol.get(`${room}/messages?dir=b&limit=20`);
    const events = body.chunk as { type: string; content: { body?: string } }[];
    return events.filter(({ type }) => type === 'm.room.message').map(({ content }) => content.body);
  };
  await expect.poll(received).toEqual(['Please stop, @carol:localhost.']);
  await warn('Once more: stop.');
  await expect.poll(received).toEqual(['Once more: stop.', 'Please stop, @carol:localhost.']);
  expect(await invites()).toEqual([]);
  expect(team.problems).toEqual([]);
});

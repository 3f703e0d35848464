import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();

const unreviewed = (page: Page, count: number) =>
  page.getByRole('status', { name: `${count} unreviewed` }).waitFor();
const history = (page: Page) => page.getByRole('region', { name: 'History' });

async function makeRoom(page: Page) {
  await page.getByRole('button', { name: 'Share with the team…' }).click();
  await page.getByRole('button', { name: 'Make the room' }).click();
  await page.getByRole('complementary', { name: "The team's room" }).waitFor({ state: 'detached' });
}

async function note(page: Page, text: string) {
  await history(page).getByRole('textbox', { name: 'Note' }).fill(text);
  await history(page).getByRole('button', { name: 'Add note' }).click();
  await history(page).getByRole('listitem').filter({ hasText: text }).waitFor();
}

test('two administrators see each other’s marks, notes and looks', async () => {
  await team.report(3);
  const { page: ada } = await team.open('admin', '/reports?report=3');
  await unreviewed(ada, 3);
  await note(ada, 'Kept here first');
  await ada.getByRole('button', { name: 'Mark reviewed' }).click();
  await unreviewed(ada, 2);
  await ada.goto(`${team.homeserver.url}/console/reports?report=2`);
  await makeRoom(ada);

  const { page: bob } = await team.open('bob', '/reports?report=3');
  await bob.getByText('@admin:localhost has made a room').waitFor();
  await unreviewed(bob, 3);
  await bob.getByRole('button', { name: 'Join the team' }).click();
  await unreviewed(bob, 2);
  await history(bob).getByText('Kept here first').waitFor();
  await history(bob).getByRole('listitem').filter({ hasText: '@admin marked it reviewed' }).waitFor();

  await note(bob, 'Seen by Bob');
  await ada.goto(`${team.homeserver.url}/console/reports?report=3`);
  await history(ada).getByRole('listitem').filter({ hasText: 'Seen by Bob' }).waitFor();
  await ada.getByRole('article').first().waitFor();
  await bob.getByRole('img', { name: '@admin:localhost looks at this, too' }).first().waitFor();
  await ada.getByRole('img', { name: '@bob:localhost looks at this, too' }).first().waitFor();

  await bob.getByRole('button', { name: 'Mark not reviewed' }).click();
  await unreviewed(ada, 3);
  await history(ada).getByRole('listitem').filter({ hasText: '@bob took the mark back' }).waitFor();
  expect(team.problems).toEqual([]);
});

/** A whole triage on the bundled server, using only the keyboard and screen reader output. */
import { expect, test } from 'vitest';
import { consoleStates } from './console-states.ts';

const open = consoleStates();

test('a moderator finds a report, reads it, suspends its sender and continues with the next', async () => {
  const page = await open(
    { name: 'reports', path: '/reports', shows: (screen) => screen.getByRole('option').first() },
    [1280, 800],
  );
  const list = page.getByRole('listbox', { name: 'Reports' });
  const report = page.getByRole('region', { name: 'Report', exact: true });
  const heading = report.getByRole('heading', { name: /^Report \d+/ });
  const { keyboard } = page;

  // Filters by sender by typing.
  await keyboard.press('/');
  await keyboard.type('@mallory:localhost');
  await page.getByRole('option', { name: '@mallory:localhost' }).last().waitFor();
  await keyboard.press('Enter');
  await page.getByText(/^\d+ matches$/).waitFor();

  await expect.poll(() => list.getByRole('option').first().textContent()).toContain('mallory');
  await keyboard.press('Escape');
  await keyboard.press('j');
  await report.getByRole('article', { name: 'Reported message' }).waitFor();
  const first = await heading.textContent();

  // The action shows its effect, takes a reason and is confirmed by keyboard.
  await report.getByRole('button', { name: /^Suspend/ }).waitFor();
  await keyboard.press('s');
  const panel = page.getByRole('dialog', { name: /^Suspend/ });
  await expect
    .poll(() =>
      panel.getByRole('textbox', { name: /Reason/ }).evaluate((box) => box === document.activeElement),
    )
    .toBe(true);
  await keyboard.type('Writes to strangers');
  await keyboard.press('Control+Enter');
  await panel.waitFor({ state: 'detached' });
  await page
    .getByRole('status')
    .filter({ hasText: /suspended/i })
    .first()
    .waitFor();

  // The next report is open, and the list has its shortcuts again.
  await expect.poll(() => heading.textContent()).not.toBe(first);
  const second = await heading.textContent();
  await keyboard.press('e');
  await expect.poll(() => heading.textContent()).not.toBe(second);

  // Earlier actions can be undone from their own lines.
  await page.getByRole('button', { name: 'Recent status messages' }).click();
  await page
    .getByRole('dialog', { name: 'Recent status messages' })
    .getByRole('listitem')
    .filter({ hasText: /@mallory:localhost suspended/ })
    .getByRole('button', { name: 'Undo' })
    .press('Enter');
  await page
    .getByRole('status')
    .filter({ hasText: /@mallory:localhost unsuspended/ })
    .first()
    .waitFor();
});

/** Layout in narrow spaces: names and usual actions stay visible, other parts are hidden first. */
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { consoleStates } from './console-states.ts';
import type { ScreenState } from './screens.ts';

const open = consoleStates();

const laptop = [1440, 900] as const;

const reports: ScreenState = {
  name: 'reports',
  path: '/reports',
  reach: (page) => page.getByRole('option').first().click(),
  shows: (page) => actions(page).getByRole('button', { name: /^More|^Mehr/ }),
};
const actions = (page: Page) => page.getByRole('toolbar', { name: /^Actions$|^Aktionen$/ }).first();

/** The tops of elements, without those that aren't shown. */
const topsOf = (elements: Locator) =>
  elements.evaluateAll((all) =>
    all.filter((each) => each.checkVisibility()).map((each) => Math.round(each.getBoundingClientRect().top)),
  );

test('in a row of a report, the ID is cut and counters are hidden before the name is cut', async () => {
  const page = await open(reports, laptop);
  const counted = page.getByRole('option').filter({ has: page.locator('[data-others="event"]') });
  const called = counted.first().locator('[data-accused] > :first-child');
  const widths = () =>
    called.evaluate((name) => {
      const id = name.nextElementSibling as HTMLElement;
      const counters = name.parentElement?.nextElementSibling as HTMLElement;
      return {
        isCut: name.scrollWidth > name.clientWidth,
        id: id.clientWidth,
        counters: counters.clientWidth,
      };
    });
  await expect.poll(widths).toMatchObject({ isCut: false });
  const wide = await widths();

  await page.evaluate(() => localStorage.setItem('gatehouse.reports.width', '270'));
  await page.reload();
  await expect.poll(widths).toMatchObject({ isCut: false, id: 0 });
  expect((await widths()).counters).toBeLessThan(wide.counters);
});

test.each(['en', 'de'])(
  "a report's actions fit one line of a laptop, the rest is in the menu (%s)",
  async (language) => {
    const page = await open(reports, laptop);
    await page.evaluate(
      (chosen) => localStorage.setItem('gatehouse.language', JSON.stringify(chosen)),
      language,
    );
    await page.reload();
    await reports.shows(page).waitFor();
    const buttons = actions(page).locator('xpath=../../..').getByRole('button');
    await expect.poll(async () => new Set(await topsOf(buttons)).size).toBe(1);
    expect((await topsOf(actions(page).getByRole('button'))).length).toBe(3);
    await page.keyboard.press('u');
    await page.getByText(/· (Not upheld|Unberechtigt)$/).waitFor();
    await page.keyboard.press('k');
    await page.getByText(/^(Not upheld|Unberechtigt)$/).waitFor();
    await expect.poll(async () => new Set(await topsOf(buttons)).size).toBe(1);

    await page.keyboard.press('r');
    const panel = page.getByRole('dialog', { name: /^Redact|^Ereignis/ });
    const menu = await reports.shows(page).boundingBox();
    await expect.poll(async () => (await panel.boundingBox())?.y).toBeGreaterThan(menu?.y ?? 0);
    const box = await panel.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(menu?.x ?? 0);
  },
);

test('the facts of a user are in one line of groups, or in two full ones', async () => {
  const user: ScreenState = {
    name: 'user',
    path: '/users/@mallory:localhost',
    shows: (page) => page.getByRole('heading', { name: 'Moderation' }),
  };
  const page = await open(user, laptop);
  const groups = page.getByRole('heading', { name: /^(Sign-in|Account activity|Moderation)$/ }).locator('..');
  const boxes = () =>
    groups.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  const [first, second, third] = await boxes();
  expect([second?.top, second?.bottom]).toEqual([first?.top, first?.bottom]);
  expect([third?.left, third?.right]).toEqual([first?.left, second?.right]);

  await page.setViewportSize({ width: 1680, height: 900 });
  await expect.poll(async () => new Set((await boxes()).map(({ top }) => top)).size).toBe(1);
  expect(new Set((await boxes()).map(({ bottom }) => bottom)).size).toBe(1);
});

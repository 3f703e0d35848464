/** All text comes from the catalog, in every language, and the layout follows the text direction. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

test('German has one translation per sentence in all catalogs, with punctuation as in English', async () => {
  const translations = new Map<string, string>();
  for (const file of ['electron/words', 'renderer/words']) {
    const catalogue = await readFile(join(projectRoot, file, 'de.po'), 'utf8');
    for (const [, english = '', german = ''] of catalogue.matchAll(/^msgid "(.*)"\nmsgstr "(.*)"$/gm)) {
      expect(/ …$/.test(german), german).toBe(/ …$/.test(english));
      expect(translations.get(english) ?? german, english).toBe(german);
      translations.set(english, german);
    }
  }
});

async function speak(language: string) {
  await console.page.addInitScript(
    (value) => localStorage.setItem('gatehouse.language', JSON.stringify(value)),
    language,
  );
}

/** Screens, and a selector that shows that each is ready. */
const screens: [path: string, ready: string][] = [
  ['/reports?report=2', 'article'],
  ['/reports?room=!none:fake.example', '[role="status"] h2'],
  ['/reports?group=sender', '[data-subject]'],
  ['/reports?order=severity&queue=unreviewed', '[role="option"]'],
  ['/reports/statistics', 'table'],
  ['/tasks', 'table'],
  ['/upgrade?from=1.98.0&to=1.120.0', 'section[data-section]'],
  ['/local-server', 'h1'],
  ['/settings', 'h1'],
  ['/connect', 'form'],
];

function fill() {
  const { homeserver } = console;
  homeserver.reports = [sampleReport(1), sampleReport(2, { score: -20 }), sampleReport(3, { reason: null })];
  homeserver.tasks = [
    { id: 'a', action: 'purge_history', status: 'failed', timestamp_ms: Date.now() - 9e6, error: 'x' },
    { id: 'b', action: 'purge_history', status: 'active', timestamp_ms: Date.now() - 3e6 },
    { id: 'c', action: 'purge_history', status: 'scheduled', timestamp_ms: Date.now() + 9e6 },
  ];
}

/** Returns the page's visible and spoken words in plain letters, without server data and dates. */
const plainWords = () =>
  console.page.evaluate(() => {
    const said: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      // JSON, code and messages come from the server.
      if (element.closest('time, code, pre, article, [role="tree"], script, style')) continue;
      // Mantine measures text in this element.
      if (element.matches('textarea[aria-hidden="true"]')) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        said.push(element.getAttribute(name) ?? '');
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) said.push(node.nodeValue ?? '');
      }
    }
    const ofTheServer =
      /[@!$#][\w.-]+(:[\w.:-]+)?|https?:\S+|localhost:\d+|[\w-]+\.(example|yaml|jwt)\S*|eyJ\S*|\/_service\b|\b(Gatehouse|admin|Lobby|Reason|Message|JWT|Esc|English|Deutsch|ACCESS_TOKEN|purge_history|Python|Rust|Latin|Cyrillic|event_json|result)\b/g;
    const ofDates =
      /\b(January|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|byte|\w{3} \d+(, \d+)?|AM|PM|at|ago|in)\b/g;
    return [...new Set(said)]
      .map((text) => text.replace(ofTheServer, '').replace(ofDates, ''))
      .filter((text) => /[A-Za-z]{3}/.test(text));
  });

/** Returns text from the catalog that is cut off and can't be read in full elsewhere. */
const cutOff = () =>
  console.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => [...element.childNodes].some(({ nodeValue }) => nodeValue?.includes('⟦')))
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        const { left, right, width } = element.getBoundingClientRect();
        if (width > 1 && (left < -1 || right > innerWidth + 1)) return true;
        // Screen reader text has no size on purpose.
        return (
          overflowX !== 'visible' &&
          element.clientWidth > 1 &&
          element.scrollWidth > element.clientWidth + 1 &&
          !element.title
        );
      })
      .map(({ textContent }) => textContent),
  );

/** Changes the setting as another tab would. */
async function turnAround() {
  await console.page.evaluate(() => {
    localStorage.setItem('gatehouse.language', '"pseudo-rtl"');
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'gatehouse.language', storageArea: localStorage }),
    );
  });
  await console.page.locator('html[dir=rtl]').waitFor({ state: 'attached' });
}

test.each(screens)(
  'in a language of other letters, no word of %s is hard-coded or cut off, and from right to left it is mirrored',
  async (path, ready) => {
    const { page } = console;
    fill();
    await speak('pseudo');
    await console.open(path);
    await page.locator(ready).first().waitFor();
    await page.getByText('⟦').first().waitFor();
    expect(await plainWords()).toEqual([]);
    expect(await cutOff()).toEqual([]);

    await turnAround();
    await page.locator(ready).first().waitFor();
    const { width } = page.viewportSize() ?? { width: 0 };
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(console.problems).toEqual([]);
    // Without a session there's no navigation rail.
    if (path === '/connect') return;
    const rail = await page.getByRole('navigation').first().boundingBox();
    expect(rail?.x).toBeGreaterThan(width / 2);
  },
);

test('in right-to-left text, a sign is before its number', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [1, 2].map((id) => sampleReport(id, { score: -97, sender: '@bob:fake.example' }));
  await speak('pseudo-rtl');
  await console.open('/reports');
  for (const text of ['−97', '+1']) {
    const score = page.getByRole('option').getByText(text, { exact: true }).first();
    await score.waitFor();
    const left = await score.evaluate((element) => {
      const leftOf = (node: Node | null, at: number) => {
        const range = document.createRange();
        range.setStart(node as Node, at);
        range.setEnd(node as Node, at + 1);
        return range.getBoundingClientRect().left;
      };
      const [sign, digits] = [element.firstChild, element.lastChild];
      return [leftOf(sign, 0), leftOf(digits, (digits?.textContent?.length ?? 0) - 1)];
    });
    expect(left[0]).toBeLessThan(left[1] as number);
  }
});

test('in right-to-left text, relative times keep their order', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [sampleReport(1)];
  await speak('pseudo-rtl');
  await console.open('/reports?report=1');
  const ago = page.getByRole('article').locator('time').first();
  await expect.poll(() => ago.innerText()).toMatch(/^\d+ \w+ ago$/);
  const edges = await ago.evaluate((element) => {
    const node = element.firstChild as Text;
    const leftOf = (at: number) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [leftOf(0), leftOf(node.length - 1)];
  });
  expect(edges[0]).toBeLessThan(edges[1] as number);
});

test('is in German with German numbers once chosen in the settings', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(1_200);
  await console.open('/settings');
  await page.getByText('Deutsch', { exact: true }).click();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('link', { name: /Meldungen/ }).click();
  await page.getByText('1.200 Meldungen').waitFor();
  await page.reload();
  await page.getByText('1.200 Meldungen').waitFor();
  await page.keyboard.press('j');
  const bar = page.getByRole('toolbar', { name: 'Aktionen' }).first();
  await bar.getByRole('button', { name: 'Mehr' }).click();
  await page.getByRole('menuitem', { name: /^Meldung löschen/ }).click();
  const panel = page.getByRole('dialog', { name: 'Meldung löschen' });
  await panel.getByRole('button', { name: 'Meldung löschen' }).click();
  await page.getByRole('status').filter({ hasText: 'Meldung gelöscht' }).waitFor();
  expect(console.problems).toEqual([]);
});

test('the count beside the rail icon is short enough in German', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(12_345);
  await speak('de');
  await console.open('/settings');
  const badge = page.getByRole('status', { name: '12345 offen' });
  await badge.waitFor();
  expect(await badge.innerText()).toBe('12k');
  const icon = await page
    .getByRole('link', { name: /Meldungen/ })
    .locator('svg')
    .boundingBox();
  const { x: from = 0 } = (await badge.boundingBox()) ?? {};
  // The icon's center is visible.
  expect(from).toBeGreaterThan((icon?.x ?? 0) + (icon?.width ?? 0) / 2);
});

test("server errors are shown in the page's language", async () => {
  const { page, homeserver } = console;
  await speak('de');
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports') ? { status: 200, body: { event_reports: 'many' } } : undefined;
  await console.open('/reports');
  await page
    .getByRole('alert')
    .getByText(/^Unerwartete Antwort \(Feld \S*event_reports/)
    .waitFor();
});

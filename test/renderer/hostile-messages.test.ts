/** Hostile messages: none of the content runs, loads, moves or deceives. */
import { Buffer } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../shared/api/common.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

const html = (formattedBody: string, body = 'plain') => ({
  msgtype: 'm.text',
  body,
  format: 'org.matrix.custom.html',
  formatted_body: formattedBody,
});

const hostile: [name: string, formattedBody: string][] = [
  ['a script', '<script>window.pwned = 1</script>'],
  ['an error handler', '<img src="x" onerror="window.pwned = 1">'],
  ['a handler without quotes', '<img/src=x/onerror=window.pwned=1>'],
  ['a remote image', '<img src="https://tracker.example/pixel.png">'],
  ['an image from this server', '<img src="/_chat/client/v3/logout">'],
  ['a source set', '<img srcset="https://tracker.example/a.png 1x" src="mxc://fake.example/x">'],
  ['an SVG that loads', '<svg onload="window.pwned = 1"><use href="https://tracker.example/#x"/></svg>'],
  ['an SVG style', '<svg><style><img src=x onerror="window.pwned = 1"></style></svg>'],
  [
    'a mutation through MathML',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  ],
  ['a noscript mutation', '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">'],
  ['a template', '<template><img src=x onerror="window.pwned = 1"></template>'],
  ['an inline frame', '<iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>'],
  [
    'an object',
    '<object data="javascript:window.pwned = 1"></object><embed src="https://tracker.example/x">',
  ],
  ['a script link', '<a href="javascript:window.pwned = 1">click</a>'],
  ['a disguised script link', '<a href=" java\nscript:window.pwned = 1">click</a>'],
  ['a data link', '<a href="data:text/html,<script>window.pwned = 1</script>">click</a>'],
  ['a style that covers the screen', '<p style="position:fixed;inset:0;z-index:9999;background:red">x</p>'],
  ['a style element', '<style>*{display:none!important}</style>'],
  ['a class of the console', '<div class="mantine-Button-root _delete_">x</div>'],
  ['a form', '<form action="https://tracker.example"><input name="password"><button>Send</button></form>'],
  ['a clobbering name', '<a id="root" name="gatehouse" href="https://x.example">x</a><img name="cookie">'],
  ['a meta refresh', '<meta http-equiv="refresh" content="0;url=https://tracker.example">'],
  ['a base', '<base href="https://tracker.example/"><a href="/x">x</a>'],
  ['a stylesheet', '<link rel="stylesheet" href="https://tracker.example/x.css">'],
  [
    'media',
    '<video src="https://tracker.example/x" autoplay></video><audio src="https://tracker.example/x" autoplay>',
  ],
  ['deep nesting', `${'<div>'.repeat(20_000)}deep`],
  ['thousands of elements', '<b>x</b>'.repeat(5_000)],
  ['a broken table', '<table><tr><td><table></td></tr><script>window.pwned=1</script></table>'],
];

const allowed = new Set(
  'bdi button span svg path a article b blockquote br caption code del details div em h1 h2 h3 h4 h5 h6 header hr i li ol p pre s strong sub summary sup table tbody td th thead time tr u ul wbr'.split(
    ' ',
  ),
);

test("hostile content doesn't run, load or escape", async () => {
  const { page, homeserver } = console;
  homeserver.reports = hostile.map(([, formattedBody], index) =>
    sampleReport(index + 1, { content: html(formattedBody), event_id: `$hostile-${index}` }),
  );
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(homeserver.url)) {
      elsewhere.push(request.url());
    }
  });
  await console.open('/reports?order=oldest');
  const article = page.getByRole('article', { name: 'Reported message' });

  for (const [index, [name]] of hostile.entries()) {
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('j');
    await page.getByText(`Report ${index + 1}`, { exact: true }).waitFor();
    await article.waitFor();
    for (const link of await article.getByRole('link').all()) {
      await link.click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    const found = await article.evaluate((element) => ({
      pwned: 'pwned' in window,
      tags: [...element.querySelectorAll('*')].map(({ localName }) => localName),
      handlers: [...element.querySelectorAll('*')].flatMap((inner) =>
        inner
          .getAttributeNames()
          .filter((attribute) => /^(on|href$|src|srcdoc|action|name$)/.test(attribute)),
      ),
      covered: document.elementFromPoint(5, 400)?.closest('article') !== null,
    }));
    expect(found.pwned, name).toBe(false);
    expect(
      found.tags.filter((tag) => !allowed.has(tag)),
      name,
    ).toEqual([]);
    expect(found.handlers, name).toEqual([]);
    expect(found.covered, name).toBe(false);
  }
  expect(elsewhere).toEqual([]);
  expect(page.url()).toContain(homeserver.url);
  expect(console.problems).toEqual([]);
});

async function openMessage(content: Record<string, unknown>, event: Record<string, unknown> = {}) {
  const report = sampleReport(1, { content });
  report.event_json = { ...report.event_json, ...event };
  console.homeserver.reports = [report];
  await console.open('/reports?report=1');
  const article = console.page.getByRole('article', { name: 'Reported message' });
  await article.waitFor();
  return article;
}

test('shows a message with its formatting', async () => {
  const article = await openMessage(
    html(
      '<h2>Title</h2><p><strong>bold</strong> <em>slanted</em></p>' +
        '<ol start="3"><li>third</li></ol><pre><code class="language-js">let x;</code></pre><span data-mx-spoiler="ending">he dies</span>',
    ),
  );
  await article.getByRole('heading', { name: 'Title' }).waitFor();
  expect(await article.locator('strong', { hasText: 'bold' }).count()).toBe(1);
  expect(await article.locator('ol').getAttribute('start')).toBe('3');
  expect(await article.locator('code').getAttribute('data-language')).toBe('js');
  expect(await article.textContent()).toContain('Spoiler: ending');
});

const answer = { 'm.relates_to': { 'm.in_reply_to': { event_id: '$asked' } } };
const quotes = '<mx-reply><blockquote>formatted quote</blockquote></mx-reply>';

test('a formatted quote without a reply is shown as text', async () => {
  const article = await openMessage(html('<mx-reply>quoted</mx-reply>rest'));
  await article.getByText('quoted').first().waitFor();
  await article.getByText('rest').first().waitFor();
  expect(await article.getByRole('button', { name: 'Quoted message' }).count()).toBe(0);
});

test('the reply fallback of older clients is folded and can be expanded', async () => {
  const article = await openMessage({
    ...html(`${quotes}yes`, '> <@ada:x> plain quote\n> of two lines\n\nyes'),
    ...answer,
  });
  await article.getByText('yes', { exact: true }).waitFor();
  expect(await article.textContent()).not.toContain('quote of');
  const fold = article.getByRole('button', { name: 'Quoted message' });
  expect(await article.getByText(/formatted quote|plain quote/).count()).toBe(0);
  await fold.click();
  await article.getByText('formatted quote').waitFor();
  await article.getByText('> of two lines').waitFor();
  expect(await article.getByText('Plain text differs.').count()).toBe(0);
});

test('keeps readable colors and drops those that hide text', async () => {
  const article = await openMessage(
    html(
      '<span data-mx-color="#cc3366">seen</span> <span data-mx-color="#ffffff">white</span> ' +
        '<span data-mx-color="#111111" data-mx-bg-color="#000000">black</span> <span data-mx-color="url(x)">odd</span>',
    ),
  );
  const colorOf = (text: string) =>
    article.getByText(text, { exact: true }).evaluate((element) => (element as HTMLElement).style.color);
  expect(await colorOf('seen')).toBe('rgb(204, 51, 102)');
  expect(await colorOf('white')).toBe('');
  expect(await colorOf('black')).toBe('rgb(255, 255, 255)');
  expect(await colorOf('odd')).toBe('');
});

test('a link shows its target and opens only after confirmation', async () => {
  const { page } = console;
  const article = await openMessage(
    html('<a href="https://evil.example/login?a=b">https://bank.example</a>'),
  );
  await article.getByText('evil.example').waitFor();
  await article.getByRole('link').click();
  const prompt = page.getByRole('dialog', { name: 'Open this link?' });
  await prompt.getByText('but the link opens evil.example').waitFor();
  expect(await prompt.textContent()).toContain('https://evil.example/login?a=b');
  await page.context().route('https://evil.example/**', (route) => route.fulfill({ body: 'opened' }));
  const opened = page.context().waitForEvent('page');
  await prompt.getByRole('button', { name: 'Open in browser' }).click();
  const tab = await opened;
  await tab.waitForLoadState();
  expect(await tab.evaluate(() => window.opener)).toBeNull();
});

test("an image loads on click with the session's token", async () => {
  const { page, homeserver } = console;
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  homeserver.media.set('fake.example/picture', { bytes: picture, contentType: 'image/png' });
  homeserver.media.set('fake.example/drawing', {
    bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    contentType: 'image/svg+xml',
  });
  const article = await openMessage(
    html(
      '<img src="mxc://fake.example/picture" alt="a cat"> <img src="mxc://fake.example/drawing" alt="a drawing"> <img src="mxc://fake.example/../../logout" alt="a trick">',
    ),
  );
  expect(homeserver.requests.filter((request) => request.includes('/media/download/'))).toEqual([]);
  await article.getByRole('button', { name: 'Show image: a cat' }).click();
  await expect
    .poll(() =>
      article.getByRole('img', { name: 'a cat' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(1);
  await article.getByRole('button', { name: 'Show image: a drawing' }).click();
  await article.getByText('Unsafe image format.').waitFor();
  await article.getByRole('button', { name: 'Show image: a trick' }).click();
  await article.getByText('Invalid image address.').waitFor();
  expect(console.problems).toEqual([]);
  expect(page.url()).toContain('report=1');
});

test('characters that reorder or hide text become visible in place', async () => {
  const { page } = console;
  const article = await openMessage({ msgtype: 'm.text', body: 'pay \u202E001$\u202C now, zero\u200Bwidth' });
  expect(await article.textContent()).toContain('pay RLO001$PDF now, zerozero width spacewidth');
  expect(await article.evaluate((element) => /[\u202A-\u202E\u200B]/.test(element.textContent ?? ''))).toBe(
    false,
  );
  expect(await page.getByRole('button', { name: 'Resolve', exact: true }).isVisible()).toBe(true);
});

test('look-alike names are flagged', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [sampleReport(1, { sender: '@p\u0430ypal:fake.example', name: 'G\u0430ming' })];
  await console.open('/reports?report=1');
  await page
    .getByRole('region', { name: 'Report' })
    .getByRole('img', { name: /Suspicious: Mixes look-alike Latin and Cyrillic/ })
    .first()
    .waitFor();
  expect(
    await page
      .getByRole('option')
      .getByRole('img', { name: /Suspicious/ })
      .count(),
  ).toBe(2);
});

test('a long message is folded and can be expanded', async () => {
  const article = await openMessage({ msgtype: 'm.text', body: `${'word '.repeat(12_000)}the end` });
  const folded = await article.boundingBox();
  expect(folded?.height).toBeLessThan(600);
  await article.getByRole('button', { name: 'Show all (60 KB)' }).click();
  expect((await article.boundingBox())?.height).toBeGreaterThan(2_000);
});

test('a message of many megabytes is partly shown and can be saved whole', async () => {
  const body = `${'lorem ipsum '.repeat(250_000)}the end`;
  const article = await openMessage({ msgtype: 'm.text', body });
  await console.page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await article.getByRole('note').getByText('First 100 kB of 3 MB').waitFor();
  await article.getByRole('button', { name: 'Show first 100 kB' }).click();
  expect((await article.innerText()).length).toBeLessThan(110_000);
  const [download] = await Promise.all([
    console.page.waitForEvent('download'),
    article.getByRole('button', { name: 'Save all' }).click(),
  ]);
  expect((await stat(await download.path())).size).toBe(body.length);
});

test.each([
  ['accents without a gap', 'A\u0301', true],
  // Repeated marks after the first collapse to one symbol.
  ['marks that turn the direction', '\u202E', false],
])('a very long %s in reason and message is laid out in short pieces', async (_, unit, isFolded) => {
  const { page, homeserver } = console;
  const endless = unit.repeat(300_000);
  const [report] = [sampleReport(1)];
  homeserver.reports = [
    {
      ...report,
      reason: endless,
      event_json: { ...report.event_json, content: { msgtype: 'm.text', body: endless } },
    },
  ];
  await console.open('/reports?report=1');
  await page
    .getByRole('note')
    .getByText(/^First \d+ kB of/)
    .last()
    .waitFor();
  const first = page.getByRole('button', { name: 'Show first' });
  if (isFolded) {
    await first.last().click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
  }
  // Laying out the text as one piece would block the page for 15 seconds.
  const longest = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT);
    let length = 0;
    while (texts.nextNode()) length = Math.max(length, texts.currentNode.textContent?.length ?? 0);
    return length;
  });
  expect(longest).toBeLessThan(600);
});

const shown: [name: string, content: JsonObject, event: object, text: string][] = [
  ['an action', { msgtype: 'm.emote', body: 'waves' }, {}, 'waves'],
  [
    'a file',
    { msgtype: 'm.file', body: 'x.pdf', url: 'mxc://a.example/b', info: { size: 2_500_000 } },
    {},
    '2.5 MB',
  ],
  [
    'an encrypted message',
    { algorithm: 'm.megolm.v1.aes-sha2' },
    { type: 'm.room.encrypted' },
    'End-to-end encrypted',
  ],
  [
    'a redacted message',
    {},
    { unsigned: { redacted_because: { sender: '@mod:fake.example' } } },
    'Redacted by @mod:fake.example',
  ],
  ['a topic', { topic: 'Buy here' }, { type: 'm.room.topic', state_key: '' }, 'Set the topic to “Buy here”'],
  ['an unknown type', { body: 'hello' }, { type: 'org.example.poll' }, 'no view for org.example.poll'],
  ['content of the wrong shape', { msgtype: 7, body: ['x'] }, {}, 'no view for m.room.message'],
  ['an event without anything', {}, { type: undefined, content: null, sender: 3 }, 'unknown event type'],
];

test('shows every message type and unknown ones', async () => {
  const { page, homeserver } = console;
  homeserver.reports = shown.map(([, content, event], index) => {
    const report = sampleReport(index + 1, { content, event_id: `$shown-${index}` });
    return { ...report, event_json: { ...report.event_json, ...event } } as typeof report;
  });
  await console.open('/reports?order=oldest');
  const article = page.getByRole('article', { name: 'Reported message' });
  await page.getByRole('option').first().waitFor();
  for (const [index, [, , , text]] of shown.entries()) {
    await page.keyboard.press('j');
    await page.getByText(`Report ${index + 1}`, { exact: true }).waitFor();
    await article.getByText(text).first().waitFor();
  }
  expect(console.problems).toEqual([]);
});

/** Scrolls to a part of the report. Repeats if content above moves it out of view. */
async function lookAt(name: string, says: string) {
  const part = console.page.getByRole('region', { name, exact: true });
  const isThere = async () => {
    await part.scrollIntoViewIfNeeded();
    return (await part.getByText(says).count()) > 0;
  };
  await expect.poll(isThere).toBe(true);
}

test('deeply nested JSON opens, is searchable, and can be copied', async () => {
  const { page } = console;
  let nested: unknown = 'the core';
  for (let depth = 0; depth < 4_000; depth++) nested = { a: nested };
  await openMessage({ msgtype: 'm.text', body: 'deep', nested });
  // Both load when they become visible.
  await lookAt('Room', 'Not supported by this server.');
  await lookAt('Event source', "Can't check hash");
  await page.getByLabel('Search event_json').fill('the core');
  await page.getByRole('button', { name: 'Next match' }).click();
  await page.getByText('1 of 1').waitFor();
  const core = page.getByRole('treeitem').filter({ hasText: 'the core' });
  await core.hover();
  await core.getByRole('button', { name: 'Copy path' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^content\.nested(\.a){4000}$/);
  await page.getByRole('button', { name: 'Copy event_json' }).click();
  await expect.poll(copied).toContain('"the core"');
  await page.getByText("Can't check hash").waitFor();
  expect(console.problems).toEqual([]);
});

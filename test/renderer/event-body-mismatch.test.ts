/** Messages whose formatted body differs from the plain one are flagged, without false positives. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

type Pair = [name: string, body: string, html: string];

const pill = (id: string, label: string) => `<a href="https://matrix.to/#/${id}">${label}</a>`;

/** Messages as common clients and bots send them. */
const honest: Pair[] = [
  ['emphasis', 'Remember: **no** _spoilers_.', 'Remember: <strong>no</strong> <em>spoilers</em>.'],
  ['a list', '- milk\n- bread', '<ul>\n<li>milk</li>\n<li>bread</li>\n</ul>\n'],
  ['a numbered list', '1. first\n2. second', '<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n'],
  ['a list that starts at three', '3. third\n4. fourth', '<ol start="3"><li>third</li><li>fourth</li></ol>'],
  ['a nested list', '* a\n    * b\n* c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['a heading', '# Title\n\ntext', '<h1>Title</h1>\n<p>text</p>\n'],
  ['paragraphs run together', 'onetwo', '<p>one</p><p>two</p>'],
  ['code', 'Try `npm ci`', 'Try <code>npm ci</code>'],
  ['a block of code', '```js\nlet x = 1;\n```', '<pre><code class="language-js">let x = 1;\n</code></pre>'],
  [
    'a quote',
    '> It is broken.\n\nSame here.',
    '<blockquote>\n<p>It is broken.</p>\n</blockquote>\n<p>Same here.</p>',
  ],
  [
    'a link',
    'See [the guide](https://example.org/a(1)?b=2)',
    'See <a href="https://example.org/a(1)?b=2">the guide</a>',
  ],
  [
    'a bare link',
    'See https://example.org/guide',
    'See <a href="https://example.org/guide">https://example.org/guide</a>',
  ],
  [
    'a shortened link',
    'The guide is at https://example.org/guide',
    'The guide is at <a href="https://example.org/guide">example.org/guide</a>',
  ],
  ['a mention by name', 'Alice: hello', `${pill('@alice:fake.example', 'Alice')}: hello`],
  ['a mention by identifier', '@alice:fake.example hello', `${pill('@alice:fake.example', 'Alice')} hello`],
  [
    'a mention as markdown',
    '[Alice](https://matrix.to/#/@alice:fake.example) hello',
    `${pill('@alice:fake.example', 'Alice')} hello`,
  ],
  [
    'a room mentioned',
    'Join #lobby:fake.example now',
    `Join ${pill('%23lobby:fake.example', '#lobby:fake.example')} now`,
  ],
  [
    'a reply',
    '> <@alice:fake.example> where?\n> here?\n\nThere.',
    '<mx-reply><blockquote><a href="https://matrix.to/#/!r/$e">In reply to</a> where?<br>here?</blockquote></mx-reply>There.',
  ],
  ['a readable spoiler', '[Spoiler](mxc://fake.example/x) hm', '<span data-mx-spoiler>he dies</span> hm'],
  ['a spoiler in plain', 'the end: ||he dies||', 'the end: <span data-mx-spoiler="ending">he dies</span>'],
  ['a rainbow', 'hello', '<font color="#f00">h</font><span data-mx-color="#ff0000">e</span>l<b>l</b>o'],
  [
    'an image in text',
    'yes :parrot: yes',
    'yes <img data-mx-emoticon src="mxc://fake.example/p" alt=":parrot:"> yes',
  ],
  ['escapes', '2 \\* 3 < 7 & "x"', '2 * 3 &lt; 7 &amp; &quot;x&quot;'],
  ['typography', 'It\u2019s ½ … “so”', 'It\'s ½ ... "so"'],
  ['line breaks', 'one\ntwo', 'one<br />two'],
  [
    'a table',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  ],
  ['a bot that sends markup twice', '<b>Build</b> passed', '<b>Build</b> passed'],
];

/** Messages that deceive a reader of only one of the two bodies. */
const lying: Pair[] = [
  ['another text', 'Happy birthday!', '<b>Send 100 coins to wallet X9</b>'],
  ['another number', 'Send 10 to Alice', 'Send 1000 to Alice'],
  ['more behind it', 'Good morning', 'Good morning<p>and die</p>'],
  ['a shorter text', 'Good morning, you idiots', 'Good morning'],
  ['nothing in plain', '', '<b>You idiots</b>'],
  ['nothing formatted', 'You idiots', '<p></p>'],
  ['another image', '🌸', '🔫'],
  [
    'a text in a mention',
    'hello',
    `hello ${pill('@alice:fake.example', 'everyone here has to send all of their money to Mallory before tomorrow at the very latest')}`,
  ],
];

test("honest messages aren't flagged, and mismatches show the other body", async () => {
  const { page, homeserver } = console;
  const pairs = [
    ...honest.map((pair) => ({ pair, lies: false })),
    ...lying.map((pair) => ({ pair, lies: true })),
  ];
  homeserver.reports = pairs.map(({ pair: [name, body, html] }, index) =>
    sampleReport(index + 1, {
      event_id: `$event-${index}`,
      content: {
        msgtype: 'm.text',
        body,
        format: 'org.matrix.custom.html',
        formatted_body: html,
        ...(name === 'a reply' && { 'm.relates_to': { 'm.in_reply_to': { event_id: '$e' } } }),
      },
    }),
  );
  await console.open('/reports?order=oldest');
  await page.getByRole('option').first().waitFor();
  const wrong: string[] = [];
  for (const [index, { pair, lies }] of pairs.entries()) {
    await page.keyboard.press('j');
    await page.getByText(`Report ${index + 1}`, { exact: true }).waitFor();
    const message = page.getByRole('article', { name: 'Reported message' });
    await message.waitFor();
    const flag = message.getByText('Plain text differs.');
    if ((await flag.count()) !== (lies ? 1 : 0)) wrong.push(pair[0]);
    if (lies && pair[1] !== '') expect(await message.textContent()).toContain(pair[1]);
  }
  expect(wrong).toEqual([]);
});

test('a body too long to compare shows a note, with its plain text', async () => {
  const { page, homeserver } = console;
  const padding = ' '.repeat(100_001);
  const pairs = [
    ['Happy birthday!', `<b>Send 100 coins to wallet X9</b>${padding}`],
    [`Happy birthday!${padding}`, '<b>Send 100 coins to wallet X9</b>'],
  ];
  homeserver.reports = pairs.map(([body, html], index) =>
    sampleReport(index + 1, {
      event_id: `$event-${index}`,
      content: { msgtype: 'm.text', body, format: 'org.matrix.custom.html', formatted_body: html },
    }),
  );
  await console.open('/reports?order=oldest');
  await page.getByRole('option').first().waitFor();
  for (const index of pairs.keys()) {
    await page.keyboard.press('j');
    await page.getByText(`Report ${index + 1}`, { exact: true }).waitFor();
    const note = page
      .getByRole('article', { name: 'Reported message' })
      .getByRole('note')
      .filter({ hasText: 'Too long to compare.' });
    await note.getByText('Happy birthday!').waitFor();
  }
});

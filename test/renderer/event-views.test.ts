/** Every event type has a descriptive view. Malformed content is shown as data and breaks nothing. */
import { expect, test } from 'vitest';
import { isMatrix } from '../matrix.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { layoutFaults } from './layout-faults.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

type Fields = Record<string, unknown>;
const bob = '@bob:fake.example';
const alice = '@alice:fake.example';

async function openEvents(events: Fields[]) {
  console.homeserver.reports = events.map((event, index) => {
    const report = sampleReport(index + 1, { event_id: `$event-${index + 1}` });
    report.event_json = { ...report.event_json, ...event };
    return report;
  });
  await console.open('/reports?order=oldest');
  await console.page.getByRole('option').first().waitFor();
}

const article = () => console.page.getByRole('article', { name: 'Reported message' });

/** Opens the next report with the keyboard and waits for its message. */
async function next(id: number) {
  await console.page.keyboard.press('j');
  await console.page.getByText(`Report ${id}`, { exact: true }).waitFor();
  await article().waitFor();
  return article();
}

const member = (content: Fields, before: Fields | undefined, event: Fields = {}): Fields => ({
  type: 'm.room.member',
  sender: alice,
  state_key: bob,
  content,
  unsigned: before === undefined ? {} : { prev_content: before },
  ...event,
});
const own = { sender: bob };
const poll = (start: Fields): Fields => ({
  type: 'org.matrix.msc3381.poll.start',
  content: { 'org.matrix.msc3381.poll.start': start },
});

const views: [name: string, event: Fields, says: string[]][] = [
  [
    'a poll as clients send it',
    poll({
      question: { 'org.matrix.msc1767.text': 'Who goes first?' },
      kind: 'org.matrix.msc3381.poll.undisclosed',
      max_selections: 2,
      answers: [
        { id: 'a', 'org.matrix.msc1767.text': 'Alice' },
        { id: 'b', 'org.matrix.msc1767.text': 'Bob' },
      ],
    }),
    ['Who goes first?', 'Alice', 'Bob', 'up to 2 choices', 'votes visible at the end'],
  ],
  [
    'a poll as it is specified',
    {
      type: 'm.poll.start',
      content: {
        'm.poll': {
          kind: 'm.disclosed',
          question: { 'm.text': [{ body: 'Cake?' }] },
          answers: [{ 'm.id': '1', 'm.text': [{ body: 'Yes, please' }] }],
        },
      },
    },
    ['Cake?', 'Yes, please', 'votes visible immediately'],
  ],
  [
    'a vote',
    {
      type: 'm.poll.response',
      content: { 'm.relates_to': { event_id: '$poll' }, 'm.selections': ['blue'] },
    },
    ['Voted “blue” in poll: a message'],
  ],
  [
    'the end of a poll',
    {
      type: 'org.matrix.msc3381.poll.end',
      content: { 'm.relates_to': { event_id: '$poll' }, 'org.matrix.msc1767.text': 'Top answer: Cake' },
    },
    ['Ended poll: a message', 'Top answer: Cake'],
  ],
  [
    'a place',
    {
      content: {
        msgtype: 'm.location',
        body: "Alice's flat",
        geo_uri: 'geo:52.5163,-13.3777,34;u=35',
        info: { thumbnail_url: 'mxc://fake.example/map' },
      },
    },
    ["Alice's flat", '52.5163°, -13.3777°', 'within 35 m', 'altitude 34 m'],
  ],
  [
    'an invalid place',
    { content: { msgtype: 'm.location', body: 'here', geo_uri: 'geo:152.5,13;crs=Moon' } },
    ['Invalid location:', 'geo:152.5,13;crs=Moon'],
  ],
  [
    'a place that moves',
    {
      type: 'm.beacon_info',
      state_key: bob,
      content: { live: true, description: 'On my way', 'm.asset': { type: 'm.self' } },
    },
    ['On my way', 'Live location'],
  ],
  [
    'a reaction',
    {
      type: 'm.reaction',
      content: { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$x', key: 'no' } },
    },
    ['Reacted with “no” to a message'],
  ],
  [
    'a sticker',
    { type: 'm.sticker', content: { body: 'A cat', url: 'mxc://fake.example/cat', info: { w: 64, h: 32 } } },
    ['Sticker', 'A cat', 'Click to show', '64 × 32'],
  ],
  [
    'a call with video',
    { type: 'm.call.invite', content: { call_id: '1', offer: { sdp: 'v=0\r\nm=video 9\r\n' } } },
    ['Started a video call'],
  ],
  [
    'the end of a call',
    { type: 'm.call.hangup', content: { reason: 'user_busy' } },
    ['Ended the call: user_busy'],
  ],
  [
    'a removal',
    { type: 'm.room.redaction', redacts: '$gone', content: { reason: 'Rule 3' } },
    ['Redacted a message.', 'Reason: Rule 3'],
  ],
  [
    "a message that was removed in its sender's name",
    { sender: bob, unsigned: { redacted_because: { sender: bob, content: { reason: 'Spam' } } } },
    ['Redacted. Reason: Spam'],
  ],
  ['an invitation', member({ membership: 'invite' }, undefined), [`${alice} invited ${bob}`]],
  ['a joining', member({ membership: 'join' }, { membership: 'leave' }, own), [`${bob} joined`]],
  [
    'a join in its stored form',
    member({ membership: 'join' }, undefined, { ...own, auth_events: [] }),
    [`${bob} joined or changed their profile`],
  ],
  [
    'an acceptance',
    member({ membership: 'join' }, { membership: 'invite' }, own),
    ['accepted the invitation'],
  ],
  [
    'a new name',
    member({ membership: 'join', displayname: 'Admin' }, { membership: 'join', displayname: 'Bob' }, own),
    [`${bob} changed their name from “Bob” to “Admin”`],
  ],
  [
    'a new avatar',
    member(
      { membership: 'join', displayname: 'Bob', avatar_url: 'mxc://fake.example/face' },
      { membership: 'join', displayname: 'Bob' },
      own,
    ),
    [`${bob} changed their avatar`, 'Click to show'],
  ],
  ['a leaving', member({ membership: 'leave' }, { membership: 'join' }, own), [`${bob} left`]],
  [
    'a kick',
    member({ membership: 'leave', reason: 'Spam' }, { membership: 'join' }),
    [`${alice} kicked ${bob}`, 'Spam'],
  ],
  ['a refusal', member({ membership: 'leave' }, { membership: 'invite' }, own), ['declined the invitation']],
  ['a ban', member({ membership: 'ban' }, { membership: 'join' }), [`${alice} banned ${bob}`]],
  ['a ban lifted', member({ membership: 'leave' }, { membership: 'ban' }), [`${alice} unbanned ${bob}`]],
  ['a knock', member({ membership: 'knock' }, undefined, own), [`${bob} asked to join`]],
  ['an unknown membership', member({ membership: 'haunt' }, undefined), [`Membership of ${bob}: haunt`]],
  [
    'a name of the room',
    { type: 'm.room.name', state_key: '', content: { name: 'Lobby' } },
    ['Named the room “Lobby”'],
  ],
  ['a removed name', { type: 'm.room.name', state_key: '', content: {} }, ['Removed the room name']],
  [
    'power',
    {
      type: 'm.room.power_levels',
      state_key: '',
      content: { users: { [alice]: 100, [bob]: 100 }, ban: 50 },
      unsigned: { prev_content: { users: { [alice]: 100, [bob]: 0 }, ban: 50, kick: 50 } },
    },
    ['Changed power levels', `users › ${bob} 0 → 100`, 'kick 50 (removed)'],
  ],
  [
    'a ban of servers',
    { type: 'm.room.server_acl', state_key: '', content: { deny: ['evil.example'] } },
    ['Changed server ACL', 'deny › 0 evil.example'],
  ],
  [
    'a rule of a policy list',
    {
      type: 'm.policy.rule.user',
      state_key: 'rule:x',
      content: { entity: '@*:evil.example', recommendation: 'm.ban', reason: 'spam' },
    },
    ['Recommends m.ban for @*:evil.example: “spam”', 'State key: rule:x'],
  ],
  [
    'an unknown state',
    { type: 'org.example.weather', state_key: '', content: { sky: { clouds: 3 } } },
    ['Changed org.example.weather', 'sky › clouds 3'],
  ],
  [
    'a name that is not the one of the room',
    { type: 'm.room.name', state_key: '<b>other</b>', content: { name: 'Lobby' } },
    ['State key: <b>other</b>'],
  ],
  ['a message without a word', { content: { msgtype: 'm.text', body: ' \n ' } }, ['(empty)']],
  [
    'a notice of the server',
    {
      content: {
        msgtype: 'm.server_notice',
        body: 'No more room here',
        server_notice_type: 'm.server_notice.usage_limit_reached',
      },
    },
    ['Server notice', 'No more room here'],
  ],
  [
    'an edit that turns it into an image',
    {
      content: {
        msgtype: 'm.text',
        body: '* cat.png',
        'm.new_content': { msgtype: 'm.image', body: 'cat.png', url: 'mxc://fake.example/cat' },
        'm.relates_to': { rel_type: 'm.replace', event_id: '$before' },
      },
    },
    ['Edit of a message', 'cat.png', 'Click to show'],
  ],
  [
    'an edit that makes a place of it',
    {
      content: {
        msgtype: 'm.text',
        body: '* here',
        'm.new_content': { msgtype: 'm.location', body: 'here', geo_uri: 'geo:1.5,2.5' },
        'm.relates_to': { rel_type: 'm.replace', event_id: '$before' },
      },
    },
    ['Edit of a message', '1.5°, 2.5°'],
  ],
  [
    'a sound',
    {
      content: {
        msgtype: 'm.audio',
        body: 'song.ogg',
        url: 'mxc://fake.example/song',
        info: { mimetype: 'audio/ogg', duration: 65_400 },
      },
    },
    ['song.ogg', 'Audio · audio/ogg · 1:05'],
  ],
  [
    'a film',
    {
      content: {
        msgtype: 'm.video',
        body: 'film.mp4',
        url: 'mxc://fake.example/film',
        info: { duration: 3_723_000, size: 2000 },
      },
    },
    ['film.mp4', 'Video · 1:02:03 · 2'],
  ],
  [
    'an audio file of an invalid length',
    { content: { msgtype: 'm.audio', body: 'x.ogg', info: { mimetype: 'audio/ogg', duration: 1e300 } } },
    ['x.ogg', 'Audio · audio/ogg'],
  ],
  [
    'an answer',
    {
      content: {
        msgtype: 'm.text',
        body: 'Never',
        'm.relates_to': { 'm.in_reply_to': { event_id: '$asked' } },
      },
    },
    ['Never'],
  ],
  [
    'an image as an answer in a thread',
    {
      content: {
        msgtype: 'm.image',
        body: 'x.png',
        'm.relates_to': {
          rel_type: 'm.thread',
          event_id: '$root',
          is_falling_back: false,
          'm.in_reply_to': { event_id: '$asked' },
        },
      },
    },
    ['In a thread', 'x.png'],
  ],
  [
    'a verification',
    { content: { msgtype: 'm.key.verification.request', body: 'x', to: alice } },
    [`Requested verification from ${alice}`],
  ],
];

test('each kind of event has a sentence', async () => {
  await openEvents(views.map(([, event]) => event));
  for (const [index, [name, , says]] of views.entries()) {
    const shown = ((await (await next(index + 1)).innerText()) as string).replace(/\s+/g, ' ');
    for (const part of says) expect(shown, name).toContain(part);
  }
  expect(console.problems).toEqual([]);
});

test("a key that is empty or in the sentence isn't repeated", async () => {
  await openEvents([
    member({ membership: 'join' }, undefined, own),
    { type: 'm.room.name', state_key: '', content: { name: 'Lobby' } },
    { type: 'm.space.child', state_key: '!room:fake.example', content: { via: ['fake.example'] } },
  ]);
  for (const id of [1, 2, 3]) expect(await (await next(id)).innerText()).not.toContain('State key:');
});

test("a thread's fallback reply isn't shown as a reply", async () => {
  const relation = { rel_type: 'm.thread', event_id: '$root', is_falling_back: true };
  await openEvents([
    {
      content: {
        msgtype: 'm.text',
        body: 'Next',
        'm.relates_to': { ...relation, 'm.in_reply_to': { event_id: '$before' } },
      },
    },
    ...['', '../users'].map((id) => ({
      content: { msgtype: 'm.text', body: 'x', 'm.relates_to': { 'm.in_reply_to': { event_id: id } } },
    })),
  ]);
  const shown = await (await next(1)).innerText();
  await console.page.getByRole('heading', { name: 'Thread root' }).waitFor();
  expect(shown).not.toContain('$before');
  for (const id of [2, 3]) {
    expect(await (await next(id)).innerText()).not.toContain('In reply to');
    expect(await console.page.getByRole('heading', { name: 'In reply to' }).count()).toBe(0);
  }
});

test('a location can be copied, and no map is loaded', async () => {
  const { page, homeserver } = console;
  await openEvents([{ content: { msgtype: 'm.location', body: 'x', geo_uri: 'geo:1.5,-2.25' } }]);
  await (await next(1)).getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('1.5, -2.25');
  expect(homeserver.requests.filter((request) => request.includes('/media/download/'))).toEqual([]);
});

test("a location's button keeps its label in a narrow window", async () => {
  const { page } = console;
  await page.setViewportSize({ width: 720, height: 800 });
  await openEvents([{ content: { msgtype: 'm.location', body: 'x', geo_uri: 'geo:999,999' } }]);
  await (await next(1)).getByRole('button', { name: 'Copy' }).waitFor();
  expect((await layoutFaults(page)).filter((fault) => fault.includes('“Copy”'))).toEqual([]);
});

test('in a small window at 200% the list and a report are complete', async () => {
  const { page } = console;
  await page.setViewportSize({ width: 360, height: 640 });
  await openEvents([{ content: { msgtype: 'm.text', body: 'Read me' } }]);
  const row = await page.getByRole('option').first().boundingBox();
  expect(row?.width).toBeGreaterThan(240);
  const shown = await (await next(1)).boundingBox();
  expect(shown?.width).toBeGreaterThan(240);
});

test('an event without a view opens as data by key', async () => {
  const { page } = console;
  await openEvents([{ type: 'org.example.game', content: { move: { from: 'e2' } } }]);
  const shown = await next(1);
  await shown.getByRole('button', { name: 'Content' }).focus();
  await page.keyboard.press('Enter');
  await shown.getByRole('tree', { name: 'content' }).getByText('"e2"').waitFor();
});

const deep = (depth: number) => {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};
const zalgo = `Z${'\u0336\u0315\u034f\u0489'.repeat(3_000)}`;
const wrongs: unknown[] = [
  ...[null, true, 7, -1e308, '', [], {}, [null], '\u202Eevil\u2066', zalgo, 'x'.repeat(60_000)],
  ...[
    { __proto__: null, constructor: 1, toString: 'x' },
    '<img src=x onerror=window.pwned=1>',
    '<0/>{name}',
    deep(3_000),
  ],
  ...[
    { event_id: {}, key: [], rel_type: 3 },
    'mxc://fake.example/x',
    'javascript:window.pwned=1',
    'constructor',
  ],
];

const types = [
  ...[
    'm.room.message',
    'm.room.encrypted',
    'm.room.redaction',
    'm.reaction',
    'm.sticker',
    'm.location',
    'm.beacon',
  ],
  ...['m.poll.start', 'org.matrix.msc3381.poll.start', 'm.poll.response', 'm.poll.end', 'm.call.invite'],
  ...['m.call.hangup', 'm.call.odd', 'constructor', '__proto__', '<0>x</0>', '{type}'],
];
const stateTypes = [
  ...[
    'm.room.member',
    'm.room.name',
    'm.room.topic',
    'm.room.avatar',
    'm.room.power_levels',
    'm.room.create',
  ],
  ...[
    'm.room.canonical_alias',
    'm.room.join_rules',
    'm.room.tombstone',
    'm.room.pinned_events',
    'm.space.child',
  ],
  ...['m.policy.rule.user', 'm.beacon_info', 'm.room.server_acl', 'm.room.third_party_invite', 'toString'],
];
const fields = [
  ...[
    'body',
    'msgtype',
    'format',
    'formatted_body',
    'url',
    'info',
    'm.relates_to',
    'm.new_content',
    'geo_uri',
  ],
  ...[
    'm.poll',
    'org.matrix.msc3381.poll.start',
    'm.selections',
    'm.text',
    'membership',
    'displayname',
    'reason',
  ],
  ...[
    'avatar_url',
    'name',
    'topic',
    'alias',
    'alt_aliases',
    'users',
    'algorithm',
    'offer',
    'to',
    'via',
    'key',
    'live',
  ],
];

/** Returns a seeded random number generator. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** Returns events of every type with malformed fields, in the event and in its content. */
function wrongEvents(count: number): Fields[] {
  const roll = dice(20_261_121);
  const one = <Item>(list: readonly Item[]) => list[roll(list.length)] as Item;
  return Array.from({ length: count }, (_, index) => {
    const isState = index % 3 === 0;
    const content = Object.fromEntries(fields.filter(() => roll(3) > 0).map((field) => [field, one(wrongs)]));
    const event: Fields = {
      type: one(isState ? stateTypes : types),
      content: roll(8) === 0 ? one(wrongs) : content,
    };
    if (isState) event.state_key = roll(4) === 0 ? one(wrongs) : '';
    if (event.type === 'm.room.message' && roll(2) === 0) {
      const kinds = ['m.text', 'm.image', 'm.location', 'm.file', 'm.emote', 'constructor'];
      event.content = {
        ...content,
        msgtype: one(kinds),
        body: one(wrongs),
        format: 'org.matrix.custom.html',
      };
    }
    if (roll(3) === 0)
      event.unsigned =
        roll(2) === 0
          ? one(wrongs)
          : { prev_content: one(wrongs), redacted_because: one([undefined, ...wrongs]) };
    if (roll(5) === 0) event.sender = one(wrongs);
    if (roll(5) === 0) event.origin_server_ts = one(wrongs);
    return event;
  });
}

test('hostile values in any field of any view break, run and load nothing', async () => {
  const { page, homeserver } = console;
  const events = wrongEvents(isMatrix ? 60 : 20);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/media/download/') || !request.url().startsWith(homeserver.url))
      elsewhere.push(request.url());
  });
  await openEvents(events);
  for (const [index, event] of events.entries()) {
    const said = `event ${index + 1}: ${event.type} ${Object.keys(event.content ?? {})}`;
    const shown = await next(index + 1).catch((error) => {
      throw new Error(`${said}: ${error}`);
    });
    expect(await shown.evaluate(() => 'pwned' in window), said).toBe(false);
    expect(await shown.evaluate((element) => element.getBoundingClientRect().height), said).toBeLessThan(
      3_000,
    );
    const wide = await shown.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(wide, said).toBeLessThanOrEqual(1);
    expect(await page.getByRole('button', { name: 'Resolve', exact: true }).isVisible(), said).toBe(true);
  }
  expect(elsewhere.filter((url) => !/^(blob|data):/.test(url))).toEqual([]);
  expect(console.problems).toEqual([]);
}, 180_000);

test('reported images load only as local thumbnails, remote ones not at all', async () => {
  const { page, homeserver } = console;
  const image = (url: string) => ({ content: { msgtype: 'm.image', body: 'cat.png', url } });
  homeserver.interfere = (_method, path) =>
    path.includes('/media/thumbnail/')
      ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No thumbnail' } }
      : undefined;
  await openEvents([image('mxc://elsewhere.example/cat'), image('mxc://fake.example/cat')]);
  await (await next(1)).getByText('Click to show').waitFor();
  const asked = page.waitForRequest(/\/media\/(thumbnail|download)\//);
  await next(2);
  expect((await asked).url()).toContain('/media/thumbnail/fake.example/cat?');
  // Images without a thumbnail stay hidden.
  await article().getByText('Click to show').waitFor();
  await expect.poll(() => article().locator('[data-glimpse]').count()).toBe(0);
  expect(
    homeserver.requests.filter((request) => /\/media\/(download|thumbnail)\//.test(request)),
  ).toHaveLength(1);
});

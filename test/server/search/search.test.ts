/** Message and user search returns only results that the user may see. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents } from '../../../server/conversation/rooms/events/append-events.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, redact, say, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
let carol: Caller;
let room: string;
let other: string;
/** A room with three messages. */
let landscape: Promise<string> | undefined;
beforeAll(async () => {
  homeserver = await startHomeserver();
  [alice, bob, carol] = [homeserver.as('alice'), homeserver.as('bob'), homeserver.as('carol')];
  room = await makeRoom(alice, { name: 'About zebras' });
  await change(bob, room, 'join');
  other = await makeRoom(alice, { preset: 'private_chat' });
});
afterAll(() => homeserver.remove());

type Criteria = Record<string, unknown>;
const search = (who: Caller, search_term: string, more: Criteria = {}, query = '') =>
  who.post(`${path('search')}${query}`, {
    search_categories: { room_events: { search_term, ...more } },
  });
const found = async (...given: Parameters<typeof search>) =>
  (await search(...given)).body.search_categories.room_events;
const bodies = ({ results }: { results: { result: { content: { body?: string; name?: string } } }[] }) =>
  results.map(({ result: { content } }) => content.body ?? content.name);

async function makeLandscape(): Promise<string> {
  const roomId = await makeRoom(alice);
  for (const text of ['the Old Mill by the river', 'an old windmill, and a mill', 'two riverbanks'])
    await say(alice, roomId, text);
  return roomId;
}

type FoundPage = {
  results: { result: { event_id: string } }[];
  next_batch?: string;
  groups: { room_id: Record<string, { next_batch?: string }> };
};
const idsIn = ({ results }: FoundPage) => results.map(({ result }) => result.event_id);

describe('messages', () => {
  test("are found by words in any spelling, in the user's rooms", async () => {
    await say(alice, room, 'The Café is open');
    await say(alice, other, 'A secret cafe');
    expect(bodies(await found(bob, 'CAFE'))).toEqual(['The Café is open']);
    expect(bodies(await found(bob, 'caf open'))).toEqual(['The Café is open']);
    expect(bodies(await found(alice, 'cafe', { order_by: 'recent' }))).toEqual([
      'A secret cafe',
      'The Café is open',
    ]);
    expect(bodies(await found(carol, 'cafe'))).toEqual([]);
    expect(bodies(await found(bob, 'cafe closed'))).toEqual([]);
    expect(await found(bob, 'caf')).toMatchObject({ count: 1, highlights: ['Café'] });
    expect(bodies(await found(bob, 'zebras', { keys: ['content.name'] }))).toEqual(['About zebras']);
    expect(bodies(await found(bob, 'zebras', { keys: ['content.body'] }))).toEqual([]);
  });

  test.each([
    ['über', 'Wir gehen über die Brücke', ['über']],
    ['UBER', 'Über u\u0308ber uber!', ['Über', 'u\u0308ber', 'uber']],
    ['"die brucke" geh', 'Wir gehen über die «Brücke»', ['gehen', 'die', 'Brücke']],
    ['office tel', 'o\ufb03ce ℡ 5', ['o\ufb03ce', '℡']],
    ['σας', 'ΣΑΣ, σας', ['ΣΑΣ', 'σας']],
    ['ab 𝒳y', 'a-b/abc-d 𝒳y', ['abc', '𝒳y']],
  ])('have the matched words highlighted: %s', async (term, text, highlights) => {
    const where = await makeRoom(alice);
    await say(alice, where, text);
    expect(await found(alice, term, { filter: { rooms: [where] } })).toMatchObject({ count: 1, highlights });
  });

  test('are found by their current text', async () => {
    const edited = await say(alice, room, 'walrus');
    const redacted = await say(alice, room, 'walrus gone');
    expect((await found(bob, 'walrus')).count).toBe(2);
    await alice.put(path('rooms', room, 'send', 'm.room.message', 'edit'), {
      msgtype: 'm.text',
      body: '* penguin',
      'm.new_content': { msgtype: 'm.text', body: 'penguin' },
      'm.relates_to': { rel_type: 'm.replace', event_id: edited },
    });
    await redact(alice, room, redacted);
    expect((await found(bob, 'walrus')).count).toBe(0);
    const { results } = await found(bob, 'penguin');
    expect(results).toMatchObject([
      {
        result: { event_id: edited, unsigned: { 'm.relations': { 'm.replace': { sender: alice.userId } } } },
      },
    ]);
  });

  test('are paginated in either order with their context', async () => {
    const many = await makeRoom(alice);
    for (const text of ['otter', 'otter otter', 'otter and much else besides', 'last'])
      await say(alice, many, text);
    const filter = { rooms: [many], limit: 2 };
    const recent = await found(alice, 'otter', { filter, order_by: 'recent' });
    expect(bodies(recent)).toEqual(['otter and much else besides', 'otter otter']);
    const next = await found(
      alice,
      'otter',
      { filter, order_by: 'recent' },
      `?next_batch=${recent.next_batch}`,
    );
    expect(bodies(next)).toEqual(['otter']);
    expect(next).not.toHaveProperty('next_batch');
    const best = await found(alice, 'otter', { filter });
    expect(bodies(best)).toEqual(['otter otter', 'otter']);
    expect(bodies(await found(alice, 'otter', { filter }, `?next_batch=${best.next_batch}`))).toEqual([
      'otter and much else besides',
    ]);

    const [first] = (
      await found(alice, 'besides', {
        event_context: { before_limit: 1, after_limit: 5, include_profile: true },
        include_state: true,
        groupings: { group_by: [{ key: 'room_id' }, { key: 'sender' }] },
      })
    ).results;
    expect(
      first.context.events_before.map(({ content }: { content: { body: string } }) => content.body),
    ).toEqual(['otter otter']);
    expect(first.context.events_after).toMatchObject([{ content: { body: 'last' } }]);
    expect(first.context.profile_info).toEqual({
      [alice.userId]: { displayname: 'alice', avatar_url: null },
    });
  });

  test('are all reachable by pages, in any number, by room and by sender', async () => {
    const [one, two] = [await makeRoom(alice), await makeRoom(alice)];
    await change(bob, two, 'join');
    const said = (sender: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ type: 'm.room.message', sender },
        content: { msgtype: 'm.text', body: `heron ${'and more '.repeat(index % 7)}` },
      }));
    const { services } = homeserver;
    const write = (roomId: string, sender: string, count: number) =>
      inTransaction(services.db, (tx) => appendEvents(tx, services, roomId, said(sender, count)));
    await write(one, alice.userId, 450);
    await write(two, bob.userId, 60);
    await write(two, alice.userId, 20);

    const groupings = { group_by: [{ key: 'room_id' }, { key: 'sender' }] };
    for (const order_by of ['recent', 'rank']) {
      const criteria = { order_by, filter: { limit: 100 }, groupings };
      const seen: string[] = [];
      const walk = async (batch: string | undefined, next: (page: FoundPage) => string | undefined) => {
        const ids: string[] = [];
        for (let token = batch; token !== undefined; ) {
          const page = await found(alice, 'heron', criteria, `?next_batch=${token}`);
          expect(page.count).toBe(530);
          ids.push(...idsIn(page));
          token = next(page);
        }
        return ids;
      };
      const first = await found(alice, 'heron', criteria);
      expect(first.count).toBe(530);
      // New messages don't shift the pages.
      await say(alice, one, 'HERON');
      seen.push(...idsIn(first), ...(await walk(first.next_batch, ({ next_batch }) => next_batch)));
      expect(new Set(seen).size).toBe(530);
      expect(seen).toHaveLength(530);

      const inRoom: string[] = first.groups.room_id[two]?.results ?? [];
      const ofRoom = first.groups.room_id[two]?.next_batch;
      const rest = await walk(ofRoom, ({ groups }) => groups.room_id[two]?.next_batch);
      if (order_by === 'recent') expect([...inRoom, ...rest]).toHaveLength(80);
      expect(new Set([...inRoom, ...rest]).size).toBe(inRoom.length + rest.length);
      const ofBob = first.groups.sender[bob.userId];
      const others = await walk(ofBob?.next_batch, ({ next_batch }) => next_batch);
      if (order_by === 'recent') expect([...ofBob.results, ...others]).toHaveLength(60);
      await redact(
        alice,
        one,
        (await found(alice, 'heron', { order_by: 'recent' })).results[0].result.event_id,
      );
    }
  });

  test.each<[string, string[]]>([
    ['"old mill"', ['the Old Mill by the river']],
    ['“OLD mill”', ['the Old Mill by the river']],
    ['"mill by the river', ['the Old Mill by the river']],
    ['"old mi"', []],
    ['"old"', ['an old windmill, and a mill', 'the Old Mill by the river']],
    ['old mill', ['an old windmill, and a mill', 'the Old Mill by the river']],
    ['old -river', ['an old windmill, and a mill']],
    ['old -riv', ['an old windmill, and a mill']],
    ['old -"old mill"', ['an old windmill, and a mill']],
    ['old -"old river"', ['an old windmill, and a mill', 'the Old Mill by the river']],
    ['windm or riverb', ['an old windmill, and a mill', 'two riverbanks']],
    ['windm OR "two riverbanks" -old', ['an old windmill, and a mill', 'two riverbanks']],
    ['old river or two -old', ['the Old Mill by the river', 'two riverbanks']],
    ['two or', []],
    ['or two', []],
    ['"or" or two', ['two riverbanks']],
    ['-old', []],
    ['- old - "river"', ['the Old Mill by the river']],
    ['or - "" -', []],
  ])('are searched with web search syntax: %s', async (term, expected) => {
    landscape ??= makeLandscape();
    const criteria = { filter: { rooms: [await landscape] } };
    const result = await found(alice, term, criteria);
    expect(bodies(result).sort()).toEqual(expected);
    expect(result.count).toBe(expected.length);
  });

  test('are searched beyond many false index matches', async () => {
    const many = await makeRoom(alice);
    const first = await say(alice, many, 'grey stork');
    const { services } = homeserver;
    const others = Array.from({ length: 1_100 }, () => ({
      ...{ type: 'm.room.message', sender: alice.userId },
      content: { msgtype: 'm.text', body: 'stork grey' },
    }));
    await inTransaction(services.db, (tx) => appendEvents(tx, services, many, others));
    for (const order_by of ['rank', 'recent']) {
      const { results } = await found(alice, '"grey stork"', { order_by, filter: { rooms: [many] } });
      expect(results).toMatchObject([{ result: { event_id: first } }]);
    }
  });

  test('are found even if the filter skips many newer ones, in either order', async () => {
    const where = await makeRoom(alice);
    await change(bob, where, 'join');
    const first = await say(bob, where, 'shoebill');
    const others = Array.from({ length: 600 }, (_, index) => ({
      ...{ type: 'm.room.message', sender: alice.userId },
      content: { msgtype: 'm.text', body: `shoebill ${index}` },
    }));
    await inTransaction(homeserver.services.db, (tx) =>
      appendEvents(tx, homeserver.services, where, others.slice(0, 550)),
    );
    const second = await say(bob, where, 'shoebill again');
    await inTransaction(homeserver.services.db, (tx) =>
      appendEvents(tx, homeserver.services, where, others.slice(550)),
    );
    for (const order_by of ['rank', 'recent']) {
      const criteria = { order_by, filter: { rooms: [where], senders: [bob.userId], limit: 5 } };
      const page = await found(alice, 'shoebill', criteria);
      expect(idsIn(page)).toEqual([second]);
      expect(page.count).toBe(602);
      expect(idsIn(await found(alice, 'shoebill', criteria, `?next_batch=${page.next_batch}`))).toEqual([
        first,
      ]);
    }
  });

  test('from before a join are found as far as the history is visible', async () => {
    const closed = await makeRoom(alice);
    await say(alice, closed, 'quokka, before anybody was asked');
    await setState(alice, closed, 'm.room.history_visibility', { history_visibility: 'joined' });
    await say(alice, closed, 'quokka among those who are in');
    await change(bob, closed, 'join');
    await say(alice, closed, 'quokka for bob too');
    const seen = ['quokka for bob too', 'quokka, before anybody was asked'];
    expect(bodies(await found(bob, 'quokka', { order_by: 'recent' }))).toEqual(seen);
    // The display name is also room state, but doesn't affect the visibility of earlier messages.
    await bob.put(path(`profile/${bob.userId}/displayname`), { displayname: 'Bobby' });
    await say(alice, closed, 'quokka for Bobby');
    expect(bodies(await found(bob, 'quokka', { order_by: 'recent' }))).toEqual(['quokka for Bobby', ...seen]);
    expect((await found(alice, 'quokka')).count).toBe(4);
  });

  test('of encrypted rooms are left out', async () => {
    const secret = await makeRoom(alice);
    await say(alice, secret, 'platypus');
    expect((await found(alice, 'platypus')).count).toBe(1);
    await setState(alice, secret, 'm.room.encryption', { algorithm: 'm.megolm.v1.aes-sha2' });
    expect((await found(alice, 'platypus')).count).toBe(0);
  });

  test.each<[string, unknown, string]>([
    ['nothing', {}, ''],
    ['no term', { search_categories: { room_events: {} } }, ''],
    ['another order', { search_categories: { room_events: { search_term: 'x', order_by: 'size' } } }, ''],
    ['another part', { search_categories: { room_events: { search_term: 'x', keys: ['content.url'] } } }, ''],
    ['another token', { search_categories: { room_events: { search_term: 'x' } } }, '?next_batch=x'],
    [
      "another order's token",
      { search_categories: { room_events: { search_term: 'x', order_by: 'recent' } } },
      '?next_batch=rank9_0_0_1',
    ],
  ])("aren't searched for %s", async (_, body, query) => {
    expect(await alice.post(`${path('search')}${query}`, body)).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN' },
    });
  });

  test('are searched for any text', async () => {
    for (const term of [
      '"',
      "' OR 1",
      'a:*',
      '()&|!',
      '',
      '\0',
      'x'.repeat(2_000),
      '日本語',
      'NEAR(a b)',
      '-',
      '"a',
      'or or or',
      '-or -"" or -',
      '"a" "b" or -"c d" "',
      'aᦰb "cᦰd" -eᳲf',
      'x OR '.repeat(5_000),
      '"'.repeat(9_999),
      '-"x y" '.repeat(5_000),
    ]) {
      expect((await search(alice, term)).status).toBe(200);
    }
  });
});

describe('users', () => {
  const people = async (who: Caller, search_term: string, limit?: number) =>
    (await who.post(path('user_directory', 'search'), { search_term, ...(limit && { limit }) })).body;

  test('are found if they share a room or are in a public one', async () => {
    expect(await people(alice, 'BOB')).toEqual({
      limited: false,
      results: [{ user_id: bob.userId, display_name: 'bob', avatar_url: null }],
    });
    expect((await people(alice, 'car')).results).toEqual([]);
    const meeting = await makeRoom(alice, { preset: 'private_chat', invite: [carol.userId] });
    await change(carol, meeting, 'join');
    await carol.put(path('profile', carol.userId, 'displayname'), { displayname: 'Caroline of Hanover' });
    expect((await people(alice, 'hanover')).results).toMatchObject([{ user_id: carol.userId }]);
    expect((await people(alice, '@carol:localhost')).results).toMatchObject([{ user_id: carol.userId }]);
    expect((await people(bob, 'carol')).results).toEqual([]);
    // Users find themselves only where others can: in public rooms.
    expect((await people(alice, 'alice')).results).toMatchObject([{ user_id: alice.userId }]);
    expect((await people(carol, 'carol')).results).toEqual([]);
    // Matches word prefixes in any case and order.
    expect((await people(alice, 'HÄN caro')).results).toMatchObject([{ user_id: carol.userId }]);
    expect((await people(alice, 'anover')).results).toEqual([]);
    await bob.put(path('profile', bob.userId, 'displayname'), { displayname: 'Robert Carter' });
    expect(await people(alice, 'car')).toMatchObject({
      limited: false,
      results: [{ user_id: carol.userId }, { user_id: bob.userId }],
    });
    for (const [limit, found] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [-1, 0],
    ] as const) {
      const { limited, results } = await people(alice, 'car', limit);
      expect([limited, results.length], `limit ${limit}`).toEqual([found < 2, found]);
    }
    // A user ID is searched without its server, and an empty term finds nobody.
    for (const term of ['@', '', ':localhost', '@:localhost']) {
      expect(await people(alice, term), term).toEqual({ limited: false, results: [] });
    }
  });
});

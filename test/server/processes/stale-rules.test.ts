/** Cached push rules stay correct, even if they change while a process reads them. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { type Pair, servePair } from './pair.ts';

const client = '/_chat/client/v3';
const often = { per_second: 1e6, burst_count: 1e6 };
/** Enough for reading all rules to take much longer than a message in another room. */
const people = 95;
const rulesOfEach = 2_000;

describe.runIf(inject('postgres') && isMatrix)('of two processes', () => {
  let pair: Pair;
  beforeAll(async () => {
    const rc_joins = { local: often, remote: often };
    pair = await servePair({
      ...{ rc_message: often, rc_joins, rc_room_creation: often },
      rc_login: { address: often, account: often, failed_attempts: often },
    });
  });
  afterAll(() => pair.end());

  const password = 'correct horse';
  const makePerson = async (name: string, room: string) => {
    await pair.at(pair.one, 'PUT', `/_service/admin/v2/users/@${name}:localhost`, { password });
    const login = { type: 'm.login.password', user: name, password };
    const token = (await pair.at(pair.one, 'POST', `${client}/login`, login, '')).body.access_token as string;
    await pair.at(pair.one, 'POST', `${client}/join/${room}`, {}, token);
    return token;
  };
  const newRoom = async () =>
    (await pair.at(pair.one, 'POST', `${client}/createRoom`, { preset: 'public_chat' })).body.room_id;
  let sent = 0;
  const say = async (room: string, body: string) => {
    const path = `${client}/rooms/${room}/send/m.room.message/${sent++}`;
    expect((await pair.at(pair.other, 'PUT', path, { msgtype: 'm.text', body })).status).toBe(200);
  };

  test('one counts by push rules that the other changed during its read', {
    timeout: 90_000,
  }, async () => {
    const [large, small] = [await newRoom(), await newRoom()];
    for (let count = 0; count < people; count++) await makePerson(`many${count}`, large);
    const token = await makePerson('last', large);
    await pair.at(pair.one, 'POST', `${client}/join/${small}`, {}, token);
    const highlights = async () => {
      const { body } = await pair.at(
        pair.one,
        'GET',
        `${client}/sync?set_presence=offline`,
        undefined,
        token,
      );
      return body.rooms.join[large].unread_notifications.highlight_count as number;
    };
    const ruleOf = (word: string) => ({ pattern: word, actions: ['notify', { set_tweak: 'highlight' }] });
    const putRule = async (name: string, word: string) => {
      const path = `${client}/pushrules/global/content/${name}`;
      expect((await pair.at(pair.one, 'PUT', path, ruleOf(word), token)).status).toBe(200);
    };
    // All users except the last have very many rules.
    await putRule('word', 'apple');
    const { rows } = await pair.database.query(
      "select rules from push_rules where user_id = '@last:localhost'",
    );
    const rules = JSON.parse(rows[0].rules);
    const [rule] = rules.added.content;
    rules.added.content = Array.from({ length: rulesOfEach }, (_, index) => ({
      ...{ ...rule, ruleId: `rule${index}`, pattern: `*w?rd${index}*` },
    }));
    await pair.database.query('delete from push_rules');
    await pair.database.query(
      `insert into push_rules (user_id, rules, ignored, stream_id, version)
       select '@many' || n || ':localhost', $1, '[]', 0, 1 from generate_series(0, $2::int - 1) as n`,
      [JSON.stringify(rules), people],
    );
    await putRule('word', 'apple');
    const hasRead = async () => {
      const { rows } = await pair.database.query(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'other'
          and state = 'idle in transaction' and query like 'select * from "push_rules" where "user_id" in %'`,
      );
      return rows.length > 0;
    };
    const stale: number[] = [];
    for (let round = 0; round < 2; round++) {
      // Invalidates all users' rules.
      await pair.database.query(
        `with next as (update push_rule_version set version = version + 1 returning version)
         update push_rules set version = next.version from next`,
      );
      await say(small, 'what has changed is noted');
      const reading = say(large, 'hello');
      // It has read all current rules and is evaluating them.
      await expect.poll(hasRead, { interval: 5 }).toBe(true);
      await putRule('word', `fruit${round}`);
      await say(small, 'and so is this');
      await reading;
      const before = await highlights();
      await say(large, `a fruit${round}`);
      if ((await highlights()) !== before + 1) stale.push(round);
    }
    expect(stale).toEqual([]);
  });
});

/** Push rules, read and changed by clients. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const rules = '/_chat/client/v3/pushrules/global';
const ids = (list: { rule_id: string }[]) => list.map(({ rule_id }) => rule_id);

test('everyone has the default rules, in their order', async () => {
  const dora = await homeserver.add('dora');
  const { status, body } = await dora.get('/_chat/client/v3/pushrules/');
  expect(status).toBe(200);
  expect(ids(body.global.override)).toEqual([
    ...['.m.rule.master', '.m.rule.suppress_notices', '.m.rule.invite_for_me', '.m.rule.member_event'],
    ...['.m.rule.is_user_mention', '.m.rule.contains_display_name', '.m.rule.is_room_mention'],
    ...['.m.rule.roomnotif', '.m.rule.tombstone', '.m.rule.reaction', '.m.rule.room.server_acl'],
    '.m.rule.suppress_edits',
  ]);
  expect(body.global.override[0]).toEqual({
    ...{ rule_id: '.m.rule.master', default: true, enabled: false, actions: [], conditions: [] },
  });
  expect(body.global.content).toMatchObject([{ rule_id: '.m.rule.contains_user_name', pattern: 'dora' }]);
  expect(ids(body.global.underride)).toEqual([
    ...['.m.rule.call', '.m.rule.encrypted_room_one_to_one', '.m.rule.room_one_to_one'],
    ...['.m.rule.message', '.m.rule.encrypted', '.im.vector.jitsi'],
  ]);
  expect(body.global).toMatchObject({ room: [], sender: [] });
  expect((await dora.get('/_chat/client/r0/pushrules/')).body).toEqual(body);
  expect((await dora.get(`${rules}/`)).body).toEqual(body.global);
});

test('custom rules keep their position', async () => {
  const bob = homeserver.as('bob');
  const put = (id: string, query = '') =>
    bob.put(`${rules}/content/${id}${query}`, { actions: ['notify'], pattern: 'cake' });
  const order = async () => ids((await bob.get(`${rules}/content/`)).body);
  for (const [id, query] of [['k1'], ['k2'], ['k3', '?before=k1'], ['k4', '?after=k1']] as const) {
    expect(await put(id, query)).toMatchObject({ status: 200, body: {} });
  }
  expect(await order()).toEqual(['k2', 'k3', 'k1', 'k4', '.m.rule.contains_user_name']);
  await put('k4', '?before=k2');
  await put('k3');
  expect(await order()).toEqual(['k4', 'k2', 'k3', 'k1', '.m.rule.contains_user_name']);
  expect(await put('k5', '?before=none')).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
  expect(await put('k5', '?after=.m.rule.contains_user_name')).toMatchObject({ status: 400 });
  expect(await bob.delete(`${rules}/content/k2`)).toMatchObject({ status: 200, body: {} });
  expect(await bob.delete(`${rules}/content/k2`)).toMatchObject({ status: 404 });
  expect(await order()).toEqual(['k4', 'k3', 'k1', '.m.rule.contains_user_name']);
});

test('rules are switched off and on, and get actions', async () => {
  const bob = homeserver.as('bob');
  const master = `${rules}/override/.m.rule.master`;
  expect((await bob.get(`${master}/enabled`)).body).toEqual({ enabled: false });
  await bob.put(`${master}/enabled`, { enabled: true });
  await bob.put(`${master}/actions`, { actions: ['notify', { set_tweak: 'highlight' }] });
  expect((await bob.get(master)).body).toMatchObject({
    ...{ enabled: true, default: true, actions: ['notify', { set_tweak: 'highlight' }] },
  });
  await bob.delete(master);
  expect((await bob.get(master)).body).toMatchObject({ enabled: false, actions: [] });
  await bob.put(`${rules}/room/!a:b`, { actions: ['dont_notify'] });
  await bob.put(`${rules}/room/!a:b/enabled`, { enabled: false });
  expect((await bob.get(`${rules}/room/`)).body).toEqual([
    { rule_id: '!a:b', default: false, enabled: false, actions: ['dont_notify'] },
  ]);
});

test('a replaced rule stays on or off, and a deleted one is on when it is added again', async () => {
  const erin = await homeserver.add('erin');
  const rule = `${rules}/content/cake`;
  const put = (pattern: string, query = '') => erin.put(rule + query, { actions: ['notify'], pattern });
  const now = async () => {
    const { enabled, pattern } = (await erin.get(rule)).body;
    return [enabled, pattern];
  };
  await put('cake');
  expect(await now()).toEqual([true, 'cake']);
  await put('pie');
  expect(await now()).toEqual([true, 'pie']);
  await erin.put(`${rule}/enabled`, { enabled: false });
  await put('tart');
  expect(await now()).toEqual([false, 'tart']);
  await erin.put(`${rules}/content/other`, { actions: ['notify'], pattern: 'x' });
  await put('scone', '?after=other');
  expect(await now()).toEqual([false, 'scone']);
  await erin.put(`${rule}/actions`, { actions: [] });
  expect(await now()).toEqual([false, 'scone']);
  await erin.delete(rule);
  await put('cake');
  expect(await now()).toEqual([true, 'cake']);
});

test('they are also account data, and in a sync only when they change', async () => {
  const carol = homeserver.as('carol');
  const client = '/_chat/client/v3';
  const data = `${client}/user/${encodeURIComponent(carol.userId)}/account_data`;
  const first = (await carol.get(`${client}/sync`)).body;
  let since = first.next_batch;
  const shown = async () => {
    const { body } = await carol.get(`${client}/sync?since=${since}`);
    since = body.next_batch;
    return (body.account_data?.events ?? []).map(({ type }: { type: string }) => type);
  };
  const rulesNow = async () => (await carol.get(`${client}/pushrules/`)).body;

  expect(await carol.get(`${data}/m.push_rules`)).toMatchObject({ status: 200, body: await rulesNow() });
  for (const ignored_users of [{ '@bob:localhost': {} }, {}]) {
    await carol.put(`${data}/m.ignored_user_list`, { ignored_users });
    expect(await shown()).toEqual(['m.ignored_user_list']);
  }
  await carol.put(`${rules}/override/.m.rule.master/enabled`, { enabled: true });
  expect(await shown()).toEqual(['m.push_rules']);
  await carol.put(`${data}/m.ignored_user_list`, { ignored_users: { '@bob:localhost': {} } });
  expect(await shown()).toEqual(['m.ignored_user_list']);

  const whole = await rulesNow();
  expect(whole.global.override[0].enabled).toBe(true);
  expect((await carol.get(`${data}/m.push_rules`)).body).toEqual(whole);
  const { body } = await carol.get(`${client}/sync`);
  expect(body.account_data.events).toContainEqual({ type: 'm.push_rules', content: whole });
  for (const [who, status] of [
    ['guest', 401],
    ['bob', 403],
  ] as const) {
    expect(await homeserver.as(who).get(`${data}/m.push_rules`)).toMatchObject({ status });
  }
  expect(await carol.put(`${data}/m.push_rules`, {})).toMatchObject({ status: 405 });
});

const some = { actions: ['notify'], conditions: [] };
test.each([
  ['nobody', 'guest', 'get', '/override/', undefined, 401, 'M_MISSING_TOKEN'],
  ['an unknown kind', 'alice', 'get', '/postcontent/', undefined, 400, 'M_UNRECOGNIZED'],
  ['an unknown rule', 'alice', 'get', '/content/none', undefined, 404, 'M_NOT_FOUND'],
  ['whether an unknown rule is on', 'alice', 'get', '/content/none/enabled', undefined, 404, 'M_NOT_FOUND'],
  ['a rule like a default one', 'alice', 'put', '/override/.mine', some, 400, 'M_UNKNOWN'],
  ['a default one', 'alice', 'put', '/override/.m.rule.master', some, 400, 'M_UNKNOWN'],
  ['no conditions', 'alice', 'put', '/override/a', { actions: [] }, 400, 'M_UNKNOWN'],
  ['a condition of no kind', 'alice', 'put', '/override/a', { ...some, conditions: [{}] }, 400, 'M_UNKNOWN'],
  ['an invalid condition', 'alice', 'put', '/override/a', { ...some, conditions: [5] }, 400, 'M_BAD_JSON'],
  ['no pattern', 'alice', 'put', '/content/a', { actions: [] }, 400, 'M_UNKNOWN'],
  ['no actions', 'alice', 'put', '/content/a', { pattern: 'a' }, 400, 'M_MISSING_PARAM'],
  ['an unknown action', 'alice', 'put', '/content/a', { pattern: 'a', actions: ['x'] }, 400, 'M_UNKNOWN'],
  ['a backslash', 'alice', 'put', '/override/a%5Cb', some, 400, 'M_UNKNOWN'],
  ['a slash', 'alice', 'put', '/override/a%2Fb', some, 400, 'M_UNKNOWN'],
  ['an unknown kind to set', 'alice', 'put', '/other/a', some, 400, 'M_UNRECOGNIZED'],
  ['neither on nor off', 'alice', 'put', '/override/.m.rule.master/enabled', {}, 400, 'M_MISSING_PARAM'],
  ['on, for no rule', 'alice', 'put', '/override/none/enabled', { enabled: true }, 404, 'M_NOT_FOUND'],
  ['actions for no rule', 'alice', 'put', '/override/none/actions', { actions: [] }, 404, 'M_NOT_FOUND'],
  ['a path without a kind', 'alice', 'get', '', undefined, 400, 'M_UNRECOGNIZED'],
  ['a path without a rule', 'alice', 'delete', '/override', undefined, 400, 'M_UNRECOGNIZED'],
  ['a rule without an ID', 'alice', 'put', '/override/', some, 400, 'M_INVALID_PARAM'],
  ['another scope', 'alice', 'put', '/../device/override/a', some, 400, 'M_UNRECOGNIZED'],
  [
    'an unknown part of a rule',
    'alice',
    'get',
    '/override/.m.rule.master/x',
    undefined,
    400,
    'M_UNRECOGNIZED',
  ],
  ['deletion of a missing one', 'alice', 'delete', '/override/none', undefined, 404, 'M_NOT_FOUND'],
] as const)('refuses %s', async (_, who, method, path, body, status, errcode) => {
  expect(await homeserver.as(who)[method](rules + path, body)).toMatchObject({ status, body: { errcode } });
});

test('custom rules are limited', async () => {
  const alice = homeserver.as('alice');
  const conditions = [{ kind: 'event_match', key: 'type', pattern: 'x'.repeat(50_000) }];
  const put = (id: string) => alice.put(`${rules}/override/${id}`, { actions: [], conditions });
  for (const id of ['1', '2', '3']) expect(await put(id)).toMatchObject({ status: 200 });
  expect(await put('4')).toMatchObject({ status: 413, body: { errcode: 'M_TOO_LARGE' } });
});

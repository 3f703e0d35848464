import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InspectedRequest } from '../../../shared/workbench/inspector.ts';
import { until } from '../../until.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { fromMatrix } from '../spelling.ts';

const lines: string[] = [];
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    log: (line) => lines.push(line),
    config: { metricsListeners: [localListener] },
  });
});
afterAll(() => homeserver.remove());

/** Returns the log line of the request that contains this text. */
const lineWith = (text: string) =>
  until(() => {
    const line = lines.find((candidate) => candidate.includes(text));
    expect(line).toBeDefined();
    return fromMatrix(line ?? '');
  });

test('a line has time, request, size, duration, user and database time', async () => {
  await homeserver.as('admin').get('/_service/admin/v1/event_reports?limit=7');
  expect(await lineWith('limit=7')).toMatch(
    /^\d{4}-\d\d-\d\dT\S+Z GET \/_service\/admin\/v1\/event_reports\?limit=7 200 \d+B \d+\.\dms @admin:localhost ru=\(user=\d+\.\dms, system=\d+\.\dms\) db=\(statements=[1-9]\d*, time=\d+\.\dms\)$/,
  );
});

test('a statement counts for its request, also after the body was read', async () => {
  await homeserver.as('admin').put('/_service/admin/v2/users/@counted:localhost', {
    displayname: 'Counted',
    threepids: [{ medium: 'email', address: 'counted@example.org' }],
    external_ids: [{ auth_provider: 'numbers', external_id: '1' }],
  });
  const line = await lineWith('@counted');
  const [, statements] = /statements=(\d+)/.exec(line) ?? [];
  expect(Number(statements)).toBeGreaterThan(10);
});

test('a statement counts once each for the log and the inspector', async () => {
  const admin = homeserver.as('admin');
  const inspector = '/_gatehouse/v1/inspector';
  await admin.put(inspector, { on: true });
  for (let round = 0; round < 3; round++) {
    await admin.put(`/_service/admin/v2/users/@inspected${round}:localhost`, {
      threepids: [{ medium: 'email', address: `inspected${round}@example.org` }],
      password: 'Inspected, and not shown',
    });
    const line = await lineWith(`@inspected${round}`);
    const statements = Number(/statements=(\d+)/.exec(line)?.[1]);
    expect(statements).toBeGreaterThan(5);
    const { requests } = (await admin.get(`${inspector}/requests?limit=1000`)).body;
    const seen = requests.find(({ path }: { path: string }) => path.includes(`inspected${round}`));
    expect(seen.database.statements).toBe(statements);
  }
  await admin.put(inspector, { on: false });
});

test("the inspector lists a request's statements without values", async () => {
  const admin = homeserver.as('admin');
  const inspector = '/_gatehouse/v1/inspector';
  await admin.put(inspector, { on: true });
  const asked = {
    displayname: 'Named by nobody',
    threepids: [{ medium: 'email', address: 'statements@example.org' }],
    password: 'Hidden from them',
  };
  await admin.put('/_service/admin/v2/users/@stated:localhost', asked);
  const { database } = await until(async () => {
    const { requests } = (await admin.get(`${inspector}/requests?limit=1000`)).body;
    const seen = requests.find(({ path }: { path: string }) => path.includes('@stated'));
    expect(seen).toBeDefined();
    return seen as InspectedRequest;
  });
  await admin.put(inspector, { on: false });

  const texts = database.asked.map(({ sql }) => sql).join('\n');
  expect(texts).toMatch(/^insert into "users" .* values \((\$1|\+\?), /m);
  for (const value of ['stated', 'Named by', 'statements@', 'Hidden', 'email']) {
    expect(texts).not.toContain(value);
  }
  const times = database.asked.map((each) => each.times);
  expect(times.reduce((sum, each) => sum + each, 0)).toBe(database.statements);
  const took = database.asked.map(({ ms }) => ms);
  expect(took).toEqual(took.toSorted((one, other) => other - one));
  expect(took.reduce((sum, each) => sum + each, 0)).toBeCloseTo(database.ms);
});

test('a path is logged as requested', async () => {
  const asked = '/_matrix/client/r0/login?asked=so';
  await fetch(`${homeserver.url}${asked}`);
  await until(() => expect(lines.find((line) => line.includes('asked=so'))).toContain(` ${asked} `));
});

test('CPU-heavy requests are visible', async () => {
  await homeserver.as('guest').get('/_service/openapi.json?working');
  const [, user] = /ru=\(user=([\d.]+)ms/.exec(await lineWith('?working')) ?? [];
  expect(Number(user)).toBeGreaterThan(5);
});

test('an anonymous caller is a dash', async () => {
  await homeserver.as('guest').get('/_chat/client/versions?dash');
  expect(await lineWith('?dash')).toContain(' 200 ');
  expect(await lineWith('?dash')).toMatch(/ms - ru=/);
});

test.each([
  [
    'a token in the query',
    '/_chat/client/v3/account/whoami?access_token=TOPSECRET&x=1',
    'access_token=<redacted>&x=1',
  ],
  [
    'a token under another spelling',
    '/_chat/client/v3/account/whoami?acc%65ss_token=TOPSECRET&x=2',
    '=<redacted>&x=2',
  ],
  ['a login token', '/_chat/client/v3/login?token=TOPSECRET&x=3', 'token=<redacted>&x=3'],
])('%s stays out of the log', async (_, path, shown) => {
  await homeserver.as('guest').get(path);
  expect(await lineWith(shown)).not.toContain('TOPSECRET');
});

test('no client can inject a log line', async () => {
  await homeserver.as('guest').get('/_chat/client/v3/nope?forged%0a2026-01-01T00:00:00Z GET /');
  expect(await lineWith('forged')).toMatch(/^[^\n\r]*$/);
});

test('Prometheus metrics are on their own listener, by route and never by path', async () => {
  await homeserver.as('admin').get('/_service/admin/v1/event_reports/424242');
  const read = async () => fromMatrix(await (await fetch(homeserver.metricsUrl ?? '')).text());
  // Requests are counted after their reply is sent, which may be slightly after it arrives.
  await expect
    .poll(read)
    .toMatch(
      /gatehouse_http_request_duration_seconds_count\{method="GET",route="\/_service\/admin\/v1\/event_reports\/:report_id",code="404"\} 1/,
    );
  const figures = await read();
  expect(figures).not.toContain('event_reports/424242');
  expect(figures).toMatch(/^gatehouse_scheduled_tasks_active 0$/m);
  expect(figures).toContain('process_resident_memory_bytes');
  expect((await homeserver.as('admin').get('/metrics')).status).toBe(404);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatehouse, type Served, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let dataDir: string;
let server: Served;
let token: string;
let beforeServing: { code: number; output: string };

const get = async (path: string) => (await call(server.url, 'GET', path, token)).body;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-sample-'));
  beforeServing = await gatehouse('sample-data', '--data-dir', dataDir);
  await gatehouse('users', 'add', 'root', '--password', 'pass-word', '--admin', '--data-dir', dataDir);
  server = await serve('--data-dir', dataDir);
  token = await logIn(server);
}, 180_000);
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true });
});

async function logIn({ url }: Served): Promise<string> {
  const credentials = { type: 'm.login.password', user: 'root', password: 'pass-word' };
  const { body } = await call(url, 'POST', '/_chat/client/v3/login', undefined, credentials);
  return body.access_token;
}

test('prints the added data and how to sign in', () => {
  expect(beforeServing).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^Added 12 users, 8 rooms, 480 messages, 250 reports and 6 tasks\n.*'sample'\n$/,
    ),
  });
});

test('all users can sign in, and none is an admin', async () => {
  const credentials = { type: 'm.login.password', user: 'ada', password: 'sample' };
  const { status, body } = await call(server.url, 'POST', '/_chat/client/v3/login', undefined, credentials);
  expect(status).toBe(200);
  expect((await call(server.url, 'GET', '/_service/admin/v1/event_reports', body.access_token)).status).toBe(
    403,
  );
});

test('its reports are by several users, over the last month, on existing events', async () => {
  const { event_reports: reports, total } = await get('/_service/admin/v1/event_reports?limit=1000');
  expect(total).toBe(250);
  const distinct = (key: string) =>
    new Set(reports.map((report: Record<string, unknown>) => report[key])).size;
  expect(distinct('user_id')).toBeGreaterThanOrEqual(8);
  expect(distinct('room_id')).toBeGreaterThanOrEqual(7);
  const times = reports.map((report: { received_ts: number }) => report.received_ts);
  expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
  expect(times[0]).toBeLessThanOrEqual(Date.now());
  expect(times[0] - times.at(-1)).toBeGreaterThan(14 * 24 * 60 * 60 * 1000);
  const { event_json: event } = await get(`/_service/admin/v1/event_reports/${reports[0].id}`);
  expect(event).toMatchObject({ type: 'm.room.message', sender: reports[0].sender });
});

test('its images can be downloaded, and have thumbnails', async () => {
  const { users } = await get('/_service/admin/v2/users');
  const images = new Map<string, string>();
  for (const { name } of users) {
    const { media } = await get(`/_service/admin/v1/users/${encodeURIComponent(name)}/media`);
    for (const { media_type, media_id, upload_name } of media)
      if (media_type === 'image/png') images.set(upload_name, `localhost/${media_id}`);
  }
  expect([...images.keys()].sort()).toEqual(['meadow.png', 'sunset.png']);
  const headers = { authorization: `Bearer ${token}` };
  for (const media of images.values()) {
    const original = await fetch(`${server.url}/_chat/client/v1/media/download/${media}`, { headers });
    expect(original.headers.get('content-type')).toBe('image/png');
    const size = '?width=32&height=32&method=scale';
    const small = await fetch(`${server.url}/_chat/client/v1/media/thumbnail/${media}${size}`, { headers });
    expect(small.status).toBe(200);
  }
});

test('its tasks are scheduled, complete and failed, and active ones end when the server runs', async () => {
  await expect
    .poll(async () => {
      const { scheduled_tasks: tasks } = await get('/_service/admin/v1/scheduled_tasks');
      return tasks.map((task: { status: string }) => task.status).sort();
    })
    .toEqual(['complete', 'complete', 'complete', 'failed', 'scheduled', 'scheduled']);
  const failed = await get('/_service/admin/v1/scheduled_tasks?status=failed');
  expect(failed.scheduled_tasks[0]).toMatchObject({
    action: 'shutdown_and_purge_room',
    error: 'event too large',
  });
});

test('it can be added more than once, and while the server runs', async () => {
  const own = await mkdtemp(join(tmpdir(), 'gatehouse-sample-'));
  await gatehouse('users', 'add', 'root', '--password', 'pass-word', '--admin', '--data-dir', own);
  const running = await serve('--data-dir', own);
  const admin = await logIn(running);
  for (const total of [40, 80]) {
    const added = await gatehouse('sample-data', '--reports', '40', '--data-dir', own);
    expect(added).toMatchObject({ code: 0, errors: '' });
    const { body } = await call(running.url, 'GET', '/_service/admin/v1/event_reports', admin);
    expect(body.total).toBe(total);
  }
  await running.end('SIGTERM');
  await rm(own, { recursive: true });
});

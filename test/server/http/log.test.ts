import { afterEach, expect, test } from 'vitest';
import type { LogConfig } from '../../../server/platform/core/log.ts';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let lines: string[];
afterEach(() => homeserver.remove());

async function logging(log: LogConfig): Promise<void> {
  lines = [];
  homeserver = await startHomeserver({ config: { log }, log: (line) => lines.push(line) });
}

const lineWith = (text: string) =>
  until(() => {
    const found = lines.find((line) => line.includes(text));
    expect(found).toBeDefined();
    return found ?? '';
  });

test('as JSON, a request is one object with its figures', async () => {
  await logging({ level: 'info', format: 'json' });
  const { accessToken = '' } = homeserver.as('admin');
  await homeserver.as('guest').get(`/_service/admin/v1/event_reports?limit=7&access_token=${accessToken}`);
  const line = await lineWith('limit=7');
  expect(line).not.toContain(accessToken);
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
    request: {
      method: 'GET',
      path: expect.stringMatching(/\/admin\/v1\/event_reports\?limit=7&access_token=<redacted>$/),
      status: 200,
      size: expect.any(Number),
      time: expect.any(Number),
      user: '@admin:localhost',
      ru: { user: expect.any(Number), system: expect.any(Number) },
      db: { statements: expect.any(Number), time: expect.any(Number) },
    },
  });
});

test('from the warning level, requests are left out', async () => {
  await logging({ level: 'warn', format: 'text' });
  expect((await homeserver.as('admin').get('/_service/admin/v1/event_reports')).status).toBe(200);
  expect(lines).toEqual([]);
});

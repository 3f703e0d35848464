/** The inspector's stored requests, their redaction, and known secrets. */
import { expect, test } from 'vitest';
import { configuredSecrets, keepRequests } from '../../../server/administration/workbench/inspector.ts';
import type { RecordedRequest } from '../../../server/administration/workbench/watch-request.ts';
import { declared } from '../../../server/platform/config/config.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { createRedactor } from '../../../server/platform/core/redactor.ts';
import { REDACTED } from '../../../shared/workbench/inspector.ts';

test('recorded requests are bounded by bytes, and the newest stay', () => {
  const kept = keepRequests();
  for (let number = 1; number <= 4800; number++) {
    kept.add(number, { url: 'x'.repeat(40_000), rawHeaders: [] } as unknown as RecordedRequest);
  }
  const all = kept.after(0);
  const held = all.reduce((sum, { size }) => sum + size, 0);
  expect(held).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(all.length).toBeGreaterThan(100);
  expect(all.at(-1)?.number).toBe(4800);
  expect(kept.count).toBe(all.length);
});

const { json } = createRedactor();

test.each([
  ['a list of headers', [['authorization', 'Basic YTpi']], [['authorization', REDACTED]]],
  ['a pair', ['x-api-key', 'abc'], ['x-api-key', REDACTED]],
  ['names with their values', [{ name: 'Cookie', value: 'sid=1' }], [{ name: 'Cookie', value: REDACTED }]],
  ['keys with their values', [{ key: 'access_token', value: 'abc' }], [{ key: REDACTED, value: REDACTED }]],
  ['text without secrets', [['accept', 'text/html'], { name: 'Alice', value: 'x' }], undefined],
])('in %s', (_, given, shown) => {
  expect(json(given)).toEqual(shown ?? given);
});

const withSecrets = [
  {
    jwt_config: { enabled: true, algorithm: 'HS256', secret: 'hush-tokens' },
    registration_shared_secret: 'hush-registration',
    turn_uris: ['turn:turn.example'],
    turn_shared_secret: 'hush-relay',
  },
  { turn_uris: ['turn:turn.example'], turn_username: 'everybody', turn_password: 'hush-password' },
  { database: { name: 'psycopg2', args: { user: 'a', dbname: 'b', password: 'hush-database' } } },
  {
    external_authentication_service: {
      enabled: true,
      endpoint: 'http://127.0.0.1:1',
      secret: 'hush-service',
    },
  },
];

test('every secret setting is known', async () => {
  const namesIn = (schema: { type?: string; properties?: object }, name = ''): string[] =>
    schema.type === 'string' && /secret|password/.test(name)
      ? [name]
      : Object.entries(schema.properties ?? {}).flatMap(([part, each]) => namesIn(each, part));
  const all = JSON.stringify(withSecrets);
  for (const name of namesIn({ properties: declared })) expect(all).toMatch(new RegExp(`"${name}":"hush-`));
  for (const settings of withSecrets) {
    const text = JSON.stringify(settings);
    const config = await loadConfig({ dataDir: '/nowhere', file: '/nowhere/homeserver.yaml', text });
    expect(configuredSecrets(config).sort()).toEqual(
      [...text.matchAll(/hush-\w+/g)].map(([secret]) => secret).sort(),
    );
  }
});

test('both tokens of each application service are known', async () => {
  const config = await loadConfig({ dataDir: '/nowhere', file: '/nowhere/homeserver.yaml', text: '{}' });
  const service = (id: string) => ({ id, token: `${id}-as`, hsToken: `${id}-hs` });
  const appServices = [service('one'), service('two')] as never;
  expect(configuredSecrets({ ...config, appServices })).toEqual(['one-as', 'one-hs', 'two-as', 'two-hs']);
});

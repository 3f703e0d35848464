import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-auth-settings-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function load(yaml: string) {
  const file = join(directory, 'homeserver.yaml');
  await writeFile(file, yaml);
  return loadConfig({ file, dataDir: directory });
}

test('a registration token satisfies the verification requirement', async () => {
  const { registration } = await load('enable_registration: true\nregistration_requires_token: true');
  expect(registration).toMatchObject({ enabled: true, requiresToken: true });
});

test.each([
  ['enabled: false', undefined],
  ['enabled: true', { requireUiAuth: true, tokenTimeoutMs: 120_000 }],
  [
    '{enabled: true, require_ui_auth: false, token_timeout: 5m}',
    { requireUiAuth: false, tokenTimeoutMs: 300_000 },
  ],
  ['{enabled: true, token_timeout: 1500}', { requireUiAuth: true, tokenTimeoutMs: 1500 }],
  ['{enabled: true, token_timeout: 30s}', { requireUiAuth: true, tokenTimeoutMs: 30_000 }],
])('login_via_existing_session: %s', async (yaml, expected) => {
  const text = yaml.startsWith('{') ? yaml : `{${yaml}}`;
  const { loginViaExistingSession } = await load(`login_via_existing_session: ${text}`);
  expect(loginViaExistingSession).toEqual(expected);
});

test('external_authentication_service is off unless it is enabled', async () => {
  const settings = 'endpoint: "http://localhost:8080/", secret: hush-hush';
  const off = await load(`external_authentication_service: {enabled: false, ${settings}}`);
  expect(off.externalAuthentication).toBeUndefined();
  const on = await load(`external_authentication_service: {enabled: true, ${settings}}`);
  expect(on.externalAuthentication).toEqual({ endpoint: 'http://localhost:8080', secret: 'hush-hush' });
});

test.each<[string, string, RegExp]>([
  ['no endpoint', '{enabled: true, secret: hush-hush}', /^external_authentication_service\.endpoint: /],
  [
    "an endpoint that isn't a URL",
    '{enabled: true, secret: hush-hush, endpoint: "file:///etc"}',
    /^external_authentication_service\.endpoint: .*HTTP/,
  ],
  ['no secret', '{enabled: true, endpoint: "http://x"}', /^external_authentication_service\.secret: missing/],
  ['a mistyped setting', '{enabled: true, secrets: hush-hush}', /^external_authentication_service/],
])('external_authentication_service with %s is refused', async (_, yaml, message) => {
  const refusal = load(`external_authentication_service: ${yaml}`);
  await expect(refusal).rejects.toThrow(message);
  await expect(refusal).rejects.not.toThrow(/hush-hush/);
});

test('an invalid duration is refused', async () => {
  await expect(load('login_via_existing_session: {enabled: true, token_timeout: soon}')).rejects.toThrow(
    /^login_via_existing_session\.token_timeout: /,
  );
});

test.each<[string, string, RegExp]>([
  [
    'an invalid pattern of blocked addresses',
    'url_preview_enabled: true\nurl_preview_url_blacklist: [{hostname: "*.x"}, {path: "^("}]',
    /^url_preview_url_blacklist\[1\]\.path: invalid regular expression/,
  ],
  [
    'an invalid network, also without previews',
    'url_preview_enabled: false\nurl_preview_ip_range_blacklist: ["::/200"]',
    /^url_preview_ip_range_blacklist/,
  ],
  ['an invalid relay', 'turn_uris: ["turn:x", "http://x"]\nturn_shared_secret: hush-hush', /^turn_uris\.1: /],
])('%s is refused', async (_, yaml, message) => {
  await expect(load(yaml)).rejects.toThrow(message);
});

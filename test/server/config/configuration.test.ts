import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-config-'));
});
afterAll(() => rm(directory, { recursive: true }));

let files = 0;
async function load(yaml: string) {
  const file = join(directory, `${files++}.yaml`);
  await writeFile(file, yaml);
  return loadConfig({ file, dataDir: directory });
}

const inPem = { type: 'spki', format: 'pem' } as const;
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(inPem);
const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(inPem);
const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export(inPem);
const indented = pem.toString().trim().replaceAll('\n', '\n    ');

test('without a file every setting has its default', async () => {
  expect(await loadConfig({ dataDir: directory })).toMatchObject({
    serverName: 'localhost',
    dataDir: directory,
    listeners: [{ bindAddresses: ['127.0.0.1'], port: 8008 }],
    database: { name: 'sqlite3', file: join(directory, 'homeserver.db'), synchronous: 'normal' },
    signingKeyPath: join(directory, 'signing.key'),
    mediaStorePath: join(directory, 'media'),
    maxUploadSize: 50 * 1024 * 1024,
    maxImagePixels: 32 * 1024 * 1024,
    enableAuthenticatedMedia: true,
    apiDialects: ['vendor', 'matrix'],
    registration: { enabled: false, requiresToken: false, sharedSecret: undefined },
    jwt: undefined,
    appServices: [],
    useAppServiceLegacyAuthorization: false,
    externalAuthentication: undefined,
    loginViaExistingSession: undefined,
    console: true,
  });
});

test("reads the file's settings", async () => {
  const config = await load(`
server_name: chat.example.org
listeners: [{port: 9000, type: http, bind_addresses: ['::1']}]
database: {name: sqlite3, args: {database: /var/lib/chat.db, synchronous: full}}
api_dialects: [matrix]
registration_shared_secret: s3cret
enable_registration: true
enable_registration_without_verification: true
jwt_config: {enabled: true, secret: my-secret-token, algorithm: HS256, issuer: us, audiences: [a, b], subject_claim: login}
max_upload_size: 3K
max_image_pixels: 2M
enable_authenticated_media: false
some_other_setting: {of: another kind}
`);
  expect(config).toMatchObject({
    serverName: 'chat.example.org',
    listeners: [{ bindAddresses: ['::1'], port: 9000 }],
    database: { name: 'sqlite3', file: '/var/lib/chat.db', synchronous: 'full' },
    apiDialects: ['matrix'],
    maxUploadSize: 3072,
    maxImagePixels: 2 * 1024 * 1024,
    enableAuthenticatedMedia: false,
    registration: { enabled: true, sharedSecret: 's3cret' },
    jwt: {
      secret: 'my-secret-token',
      algorithm: 'HS256',
      issuer: 'us',
      audiences: ['a', 'b'],
      subjectClaim: 'login',
    },
  });
});

test('accepts a public key for an asymmetric algorithm', async () => {
  const config = await load(
    `jwt_config:\n  enabled: true\n  algorithm: RS256\n  secret: |\n    ${indented}\n`,
  );
  expect(config.jwt?.algorithm).toBe('RS256');
});

describe('refuses, naming the setting and the fix without quoting a secret:', () => {
  test.each<[string, string, RegExp]>([
    [
      'open registration',
      'enable_registration: true',
      /^enable_registration: .*enable_registration_without_verification/,
    ],
    [
      'an unsupported check of registrations',
      'enable_registration: true\nenable_registration_captcha: true',
      /^enable_registration_captcha: .*registration_requires_token/,
    ],
    [
      'email through an identity server',
      'account_threepid_delegates: {email: "https://id.example"}',
      /^account_threepid_delegates\.email: .*remove it/,
    ],
    [
      'contradictory settings for application services',
      'notify_appservices: true\nnotify_appservices_from_worker: worker1',
      /^notify_appservices: .*notify_appservices_from_worker/,
    ],
    [
      'contradictory settings for the user directory',
      'update_user_directory: false\nupdate_user_directory_from_worker: main',
      /^update_user_directory: .*update_user_directory_from_worker/,
    ],
    [
      'a web client listener',
      'listeners: [{port: 80, type: http}, {port: 81, type: webclient}]',
      /^listeners\[1\]\.type: .*remove the listener/,
    ],
    ["a web client that isn't a URL", 'web_client_location: /var/www', /^web_client_location: .*https:/],
    ['another database', 'database: {name: oracle}', /^database\.name: .*sqlite3/],
    ['JWT without a secret', 'jwt_config: {enabled: true, algorithm: HS256}', /^jwt_config\.secret: missing/],
    [
      'JWT without an algorithm',
      'jwt_config: {enabled: true, secret: hush-hush}',
      /^jwt_config\.algorithm: .*HS256/,
    ],
    [
      'JWT with the algorithm "none"',
      'jwt_config: {enabled: true, secret: hush-hush, algorithm: none}',
      /^jwt_config\.algorithm: /,
    ],
    [
      'a shared secret for a key pair',
      'jwt_config: {enabled: true, secret: hush-hush, algorithm: RS256}',
      /^jwt_config\.secret: .*PEM/,
    ],
    [
      'the wrong kind of key',
      `jwt_config:\n  enabled: true\n  algorithm: ES256\n  secret: |\n    ${indented}\n`,
      /^jwt_config\.secret: .*ES256/,
    ],
    [
      'a key on another curve',
      `jwt_config: ${JSON.stringify({ enabled: true, algorithm: 'ES384', secret: curve })}`,
      /^jwt_config\.secret: .*ES384.* on the curve P-384/,
    ],
    [
      'a key that is too short',
      `jwt_config: ${JSON.stringify({ enabled: true, algorithm: 'RS256', secret: short })}`,
      /^jwt_config\.secret: .*RS256.* 2048 bits/,
    ],
    [
      'a public key as shared secret',
      `jwt_config:\n  enabled: true\n  algorithm: HS256\n  secret: |\n    ${indented}\n`,
      /^jwt_config\.algorithm: .*RS256/,
    ],
    [
      'a mistyped JWT setting',
      'jwt_config: {enabled: true, secret: hush-hush, algorithm: HS256, audience: x}',
      /^jwt_config/,
    ],
    ['an invalid switch', 'enable_registration: perhaps', /^enable_registration: /],
    [
      "a secret that isn't a string",
      'registration_shared_secret: [hush-hush]',
      /^registration_shared_secret: /,
    ],
    ['a server name with a path', 'server_name: example.org/chat', /^server_name: /],
    ['an unknown dialect', 'api_dialects: [vendor, klingon]', /^api_dialects/],
    ['no dialect', 'api_dialects: []', /^api_dialects/],
    ['an invalid port', 'listeners: [{port: 99999, type: http}]', /^listeners\.0\.port: /],
    ['invalid YAML', 'jwt_config: {secret: hush-hush\nx: [', /line \d+, column \d+: invalid YAML: /],
    ['a list', '- hush-hush', /: no settings;/],
  ])('%s', async (_, yaml, message) => {
    const refusal = load(yaml);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(/hush-hush|BEGIN PUBLIC KEY-----\n/);
  });

  test('a missing file', async () => {
    const missing = loadConfig({ file: join(directory, 'missing.yaml'), dataDir: directory });
    await expect(missing).rejects.toThrow(/missing\.yaml: can't read the file \(ENOENT\); .*--config/);
  });
});

describe('warns and starts:', () => {
  test.each<[string, string, string[]]>([
    [
      'a mistyped setting',
      'enable_registraton: true',
      ['enable_registraton: unknown setting; did you mean enable_registration?'],
    ],
    ['a setting without similar names', 'zzzzzzzzzz: hush-hush', ['zzzzzzzzzz: unknown setting']],
    [
      'settings without effect',
      'report_stats: true\npid_file: /run/x.pid',
      ['report_stats, pid_file: no effect on this server'],
    ],
    [
      'a deprecated setting that works',
      'caches: {expiry_time: 10m}',
      [
        'caches.expiry_time: deprecated since v1.53.0; set caches.expire_caches to true and caches.cache_entry_ttl to the lifetime',
      ],
    ],
    [
      'a mistyped part of a section',
      'caches: {per_cache_factor: {getEvent: 2}}\nlisteners: [{port: 1, bind_address: hush-hush, resources: []}]',
      [
        'caches.per_cache_factor: unknown setting; did you mean per_cache_factors?',
        'listeners[0].bind_address: unknown setting; did you mean bind_addresses?',
      ],
    ],
    [
      'an unknown part of a listener, and an unknown cache',
      'listeners: [{port: 1, nonsense: 1, tag: x}]\ncaches: {per_cache_factors: {getEvent: 2, getEvnt: 2, hush: 3}}',
      [
        'listeners[0].nonsense: unknown setting',
        'caches.per_cache_factors.getEvnt: unknown setting',
        'caches.per_cache_factors.hush: unknown setting',
      ],
    ],
    [
      'listeners that serve less than their resources',
      `listeners: [{port: 1, resources: [{names: [client, hush]}, {names: [metrics]}]},
        {port: 2, resources: [{names: [hush, metrics]}]}, {port: 3, resources: [{names: [hush]}]}, {port: 4, resources: [{names: [metrics]}]}]`,
      [
        "listeners[0].resources: metrics can't be served on the same listener as client; add a listener of type metrics",
        'listeners[1].resources: only metrics are served here',
        'listeners[2].resources: none of these resources is supported, so the listener is disabled; add client or remove the listener',
      ],
    ],
    [
      'nothing of what others of its kind have',
      'database: {name: sqlite3, args: {cp_min: 5, cp_max: 10}}',
      [],
    ],
    [
      'a secret with an unintended line break',
      'jwt_config:\n  enabled: true\n  algorithm: HS256\n  secret: |\n    shh\n',
      [
        'jwt_config.secret: ends with a newline, which is part of the secret; write |- instead of | to omit it',
      ],
    ],
    [
      'nothing, where a block ends without one',
      'jwt_config:\n  enabled: true\n  algorithm: HS256\n  secret: |-\n    shh\n',
      [],
    ],
    ['nothing, where all is well', 'server_name: example.org', []],
  ])('%s', async (_, yaml, warnings) => {
    expect((await load(yaml)).warnings).toEqual(warnings);
  });
});

describe('caches', () => {
  const minutes = 60_000;
  test.each<[string, number, number | undefined]>([
    ['{}', 1, 30 * minutes],
    ['caches: {cache_entry_ttl: 5m}', 1, 5 * minutes],
    ['caches: {expiry_time: 10m}', 1, 10 * minutes],
    ['caches: {expiry_time: 10m, cache_entry_ttl: 5m}', 1, 5 * minutes],
    ['caches: {expire_caches: false, global_factor: 0.5}', 0.5, undefined],
  ])('%s', async (yaml, globalFactor, entryTtlMs) => {
    expect((await load(yaml)).caches).toEqual({ globalFactor, entryTtlMs });
  });
});

test('caches have their own factors', async () => {
  const { caches } = await load('caches: {per_cache_factors: {getEvent: 2, stateGroupCache: 0.5}}');
  expect(caches).toEqual({
    globalFactor: 1,
    factors: { getEvent: 2, stateGroupCache: 0.5 },
    entryTtlMs: 1_800_000,
  });
  await expect(load('caches: {per_cache_factors: {getEvent: a lot}}')).rejects.toThrow(
    /^caches\.per_cache_factors\.getEvent: must be a number above 0/,
  );
});

describe('refuses settings that a release removed:', () => {
  test.each([
    [
      'experimental_features: {msc3861: {enabled: true, client_secret: hush-hush}}',
      /^experimental_features\.msc3861: .*v1\.157\.0.*external_authentication_service/,
    ],
    [
      'experimental_features: {msc3886_endpoint: x}',
      /^experimental_features\.msc3886_endpoint: .*v1\.120\.0/,
    ],
    ['worker_replication_host: x', /^worker_replication_host: .*v1\.88\.0.*instance_map/],
    ['worker_replication_http_port: 1', /^worker_replication_http_port: .*instance_map/],
    ['worker_replication_http_tls: true', /^worker_replication_http_tls: .*instance_map/],
    ['structured: true', /^structured: .*v1\.54\.0/],
    ['enable_legacy_metrics: true', /^enable_legacy_metrics: .*v1\.73\.0/],
  ])('%s', async (yaml, message) => {
    const refusal = load(yaml);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(/hush-hush/);
  });

  test('also in the file that log_config names', async () => {
    await writeFile(join(directory, 'log.yaml'), 'structured: true\n');
    await expect(load('log_config: log.yaml')).rejects.toThrow(/^structured: .*v1\.54\.0/);
  });
});

describe('log_config', () => {
  const loadLog = async (yaml: string) => {
    await writeFile(join(directory, 'log.yaml'), yaml);
    return load('log_config: log.yaml');
  };
  const withFormatter = (name: string) => `
version: 1
formatters:
  mine: {class: ${name}}
handlers:
  console: {class: logging.StreamHandler, formatter: mine}
root: {level: ERROR, handlers: [console]}
`;

  test.each<[string, string, object]>([
    ['nothing', '', { level: 'info', format: 'text' }],
    ['a level', 'root: {level: WARNING}', { level: 'warn', format: 'text' }],
    ['a level in small letters', 'root: {level: debug}', { level: 'debug', format: 'text' }],
    [
      'a formatter for JSON',
      withFormatter('synapse.logging.TerseJsonFormatter'),
      { level: 'error', format: 'json' },
    ],
    ['one for text', withFormatter('logging.Formatter'), { level: 'error', format: 'text' }],
  ])('%s', async (_, yaml, log) => {
    expect(await loadLog(yaml)).toMatchObject({ log, warnings: [] });
  });

  test('an unknown level is refused', async () => {
    await expect(loadLog('root: {level: CHATTY}')).rejects.toThrow(/^log_config: .*root\.level.*WARNING/);
  });

  test('an unreadable file or a file handler is reported', async () => {
    expect((await load('log_config: nowhere.yaml')).warnings).toEqual([
      "log_config: can't read the file (ENOENT); using the default logging configuration",
    ]);
    expect(
      (await loadLog('handlers: {file: {class: logging.handlers.TimedRotatingFileHandler}}')).warnings,
    ).toEqual([expect.stringMatching(/^log_config: .*standard error/)]);
  });
});

describe('listeners', () => {
  test.each<[string, string, object]>([
    [
      'several of them',
      '[{type: http, port: 1}, {type: http, port: 2, x_forwarded: true}]',
      {
        listeners: [
          { port: 1, trustsProxy: false },
          { port: 2, trustsProxy: true },
        ],
      },
    ],
    [
      'several addresses',
      "[{type: http, port: 1, bind_addresses: ['::', 10.0.0.1]}]",
      {
        listeners: [{ bindAddresses: ['::', '10.0.0.1'] }],
      },
    ],
    [
      "'' for every address",
      "[{type: http, port: 1, bind_addresses: ['']}]",
      { listeners: [{ bindAddresses: ['::'] }] },
    ],
    [
      'figures alone',
      '[{type: metrics, port: 9}]',
      {
        listeners: [{ port: 8008, bindAddresses: ['127.0.0.1'] }],
        metricsListeners: [{ port: 9, bindAddresses: ['127.0.0.1'] }],
      },
    ],
  ])('%s', async (_, listeners, expected) => {
    expect(await load(`listeners: ${listeners}`)).toMatchObject(expected);
  });

  test('an unknown type is refused', async () => {
    await expect(load('listeners: [{type: http, port: 1}, {type: manhole, port: 2}]')).rejects.toThrow(
      /^listeners\[1\]\.type: .*http or metrics/,
    );
  });
});

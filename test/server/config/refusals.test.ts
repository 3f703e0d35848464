import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { refusedStart } from '../refused-start.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-refusals-'));
  await writeFile(join(directory, 'empty.key'), '');
});
afterAll(() => rm(directory, { recursive: true }));

let files = 0;
async function written(content: string | Buffer): Promise<string> {
  const file = join(directory, `${files++}.yaml`);
  await writeFile(file, content);
  return file;
}

/** Each alias multiplies the previous one by nine. */
const multiplying = [
  'a0: &a0 [x]',
  ...[1, 2, 3, 4, 5, 6].map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`),
];

describe('refused in one line with the fix:', () => {
  test.each<[string, string | Buffer, RegExp]>([
    [
      'tabs',
      'jwt_config:\n\tsecret: hush-hush\n',
      /, line 2, column 1: invalid YAML: indent with spaces, not tabs; correct it/,
    ],
    ['not text', Buffer.from([0xff, 0xfe, 0x00, 0x41]), /not UTF-8 text; check the path/],
    ['too large a file', `x: "${'hush-hush '.repeat(300_000)}"`, /larger than 1 MB.*check the path/],
    ['endless nesting', `x: ${'['.repeat(50_000)}`, /invalid YAML/],
    ['aliases that multiply', multiplying.join('\n'), /too many aliases; write out/],
    ['aliases in a circle', 'x: &a [*a]', /line 1: alias refers to itself; write out/],
    [
      'a value in another file',
      'server_name: !include name.yaml',
      /^server_name: YAML tags such as !include aren't supported; write the value in this file, in quotes/,
    ],
    [
      'a password that begins with an exclamation mark',
      'database: {name: psycopg2, args: {password: !hush-hush}}',
      /^database\.args\.password: YAML tags/,
    ],
    ['a tag in a list', 'listeners: [{port: 1}, !hush-hush {port: 2}]', /^listeners\.1: YAML tags/],
    ['a tag of Python', 'server_name: !!python/name:hush-hush x', /^server_name: YAML tags/],
    ['a tag on all settings', '!hush-hush\nserver_name: a', /line 2: YAML tags/],
    [
      'a duplicate setting',
      'x: 1\nserver_name: a\nserver_name: b',
      /line 3: duplicate setting server_name; remove/,
    ],
    [
      'a duplicate setting in a section',
      'jwt_config:\n  secret: hush-hush\n  secret: other',
      /line 3: duplicate setting secret/,
    ],
    ['an unknown database', 'database: {name: hush-hush}', /database\.name: .*sqlite3, psycopg2; correct it/],
    ['a list for a map', 'database: [hush-hush]', /database: must be a map; correct it/],
    [
      'a word for a nested number',
      'rc_login: {address: {per_second: hush-hush}}',
      /rc_login\.address\.per_second: must be a number above 0; correct it/,
    ],
    [
      'a word for a port',
      'database: {name: psycopg2, args: {port: hush-hush}}',
      /database\.args\.port: .* from 1 to 65535/,
    ],
    ['a missing port', 'listeners: [{type: http}]', /listeners\.0\.port: missing; set a whole number from 0/],
    ['a size as text', 'max_upload_size: hush-hush', /max_upload_size: .*; use a value such as 50M/],
    [
      'a time as text',
      'caches: {cache_entry_ttl: hush-hush}',
      /caches\.cache_entry_ttl: must be a duration; use a value such as 30m/,
    ],
    ['no cache at all', 'caches: {global_factor: 0}', /caches\.global_factor: must be a number above 0/],
    [
      'a number for a text',
      'registration_shared_secret: 12345',
      /registration_shared_secret: must be a string; put it in quotes/,
    ],
    [
      'a typo in a section',
      'jwt_config: {audience: hush-hush}',
      /jwt_config\.audience: unknown setting; did you mean audiences\?/,
    ],
    [
      'a name that would clear the screen',
      '"rc_login": {"\\e[2J\\n": 1}',
      /^rc_login\.\?\[2J\?: unknown setting/,
    ],
    [
      'a registration file that is a folder',
      'app_service_config_files: [..]',
      /app_service_config_files\[0\]: the file .* can't be read \(EISDIR\); correct the path/,
    ],
    [
      'a key file that is a folder',
      'signing_key_path: ..',
      /signing_key_path: can't read .* \(EISDIR\); choose a file/,
    ],
    [
      'a key file without a key',
      'signing_key_path: ../empty.key',
      /signing_key_path: no signing key in .*; restore the file from a backup/,
    ],
    [
      'a key file that is a device',
      'signing_key_path: /dev/null',
      /signing_key_path: can't read \/dev\/null \(a pipe or a device\); choose a file/,
    ],
    [
      'a media store that is a file',
      'media_store_path: /dev/null',
      /media_store_path: can't use .* \((ENOTDIR|EEXIST)\); choose a writable directory/,
    ],
  ])('%s', async (_, content, message) => {
    const line = await refusedStart({ file: await written(content), dataDir: join(directory, 'data') });
    expect(line).toMatch(message);
    expect(line).not.toContain('hush-hush');
  });

  test('a configuration that is a folder', async () => {
    const folder = join(directory, 'folder.yaml');
    await mkdir(folder);
    expect(await refusedStart({ file: folder, dataDir: directory })).toBe(
      `${folder}: can't read the file (EISDIR); check the path given with --config`,
    );
  });
});

describe('a setting without a value has its default:', () => {
  const load = async (yaml: string) => loadConfig({ file: await written(yaml), dataDir: directory });

  test.each([
    ...['server_name', 'listeners', 'database', 'signing_key_path', 'registration_shared_secret'],
    ...['enable_registration', 'jwt_config', 'external_authentication_service', 'app_service_config_files'],
    ...['login_via_existing_session', 'api_dialects', 'max_upload_size', 'caches', 'rc_login', 'rc_message'],
    ...['room_list_publication_rules', 'alias_creation_rules', 'account_threepid_delegates', 'log_config'],
    ...['web_client_location', 'notify_appservices', 'registrations_require_3pid'],
    ...[
      'rc_login: {address: }',
      'database: {args: }',
      'caches: {per_cache_factors: }',
      'jwt_config: {issuer: }',
    ],
  ])('%s', async (name) => {
    const [config, standard] = [await load(name.includes(':') ? name : `${name}:`), await load('')];
    // Their file names differ.
    expect({ ...config, file: standard.file, warnings: [] }).toEqual({ ...standard, warnings: [] });
  });
});

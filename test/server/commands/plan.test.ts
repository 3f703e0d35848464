/** `gatehouse plan`, run by a user or a script. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverVersion } from '../../../server/platform/core/version.ts';
import { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { gatehouse } from '../gatehouse.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let directory: string;
let homeserver: TestHomeserver;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-plan-'));
  homeserver = await startHomeserver();
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

const file = async (name: string, text: string) => {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
};

test('prints a plan that fits a terminal', async () => {
  const { code, output, errors } = await gatehouse('plan', '--from', '1.0.0', '--to', '1.161.0');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/^Upgrade from v1\.0\.0 to v1\.161\.0: \d+ notes, 27 versions\n/);
  for (const line of output.split('\n')) {
    expect(line.length, line).toBeLessThanOrEqual(100);
    expect(line).toBe(line.trimEnd());
  }
  expect(output).toContain('  v1.52.0    v1.49.0       v1.49.0: safe\n');
  expect(output).toContain('$ACCESS_TOKEN');
  // Variables that the commands read from the shell are set first.
  expect(output).toMatch(/\n {4}\$ export BASE_URL=\S+\n[^$]+\n {4}\$ .*read -r ACCESS_TOKEN/);
});

test('prints JSON of the documented shape', async () => {
  const { code, output } = await gatehouse('plan', '--from', 'v1.98.0', '--json');
  expect(code).toBe(0);
  const plan = JSON.parse(output);
  expect(Value.Check(UpgradePlan, plan)).toBe(true);
  expect(plan).toMatchObject({
    from: '1.98.0',
    to: '1.161.0',
    stops: [
      { version: '1.100.0', rollback_to: '1.96.0' },
      { version: '1.105.1', rollback_to: '1.100.0' },
      { version: '1.149.1', rollback_to: '1.100.0' },
      { version: '1.161.0', rollback_to: null },
    ],
    streams: [],
    config: [],
  });
});

test('uses the requested API paths and setting names', async () => {
  const plan = ['plan', '--from', '1.135.0', '--to', '1.136.0'];
  const vendor = await gatehouse(...plan, '--dialect', 'vendor');
  expect(vendor.output).toContain('$BASE_URL/_service/admin/v1/server_version');
  expect(vendor.output).toContain('external_authentication_service');
  const matrix = await gatehouse(...plan);
  expect(matrix.output).toContain('$BASE_URL/_synapse/admin/v1/server_version');
  expect(matrix.output).toContain('matrix_authentication_service');
  expect(matrix.output).not.toMatch(/_service\/|external_authentication/);
  expect((await gatehouse(...plan, '--dialect', 'other')).code).toBe(1);
});

test('prints Markdown', async () => {
  const { code, output } = await gatehouse('plan', '--from', '1.98.0', '--to', '1.99.0', '--markdown');
  expect(code).toBe(0);
  expect(output).toMatch(/^# Upgrade from v1\.98\.0 to v1\.99\.0: 0 notes, 1 version\n/);
});

const outdated = `
server_name: example.org
database:
  name: psycopg2
  args: {user: chat, password: hunter2-S3CRET}
registration_shared_secret: hunter2-S3CRET
enable_registration: true
enable_legacy_metrics: true
account_threepid_delegates:
  email: https://hunter2-S3CRET.example.org
experimental_features:
  msc3861: {enabled: true, client_secret: hunter2-S3CRET}
`;
const outdatedWorker = 'worker_app: synapse.app.user_dir\nworker_replication_host: hunter2-S3CRET\n';

test('six outdated settings: six lines, exit code 4 as some prevent startup, and no secret in any form', async () => {
  const files = [await file('homeserver.yaml', outdated), await file('worker.yaml', outdatedWorker)];
  const [main, worker] = files;
  const forms = await Promise.all(
    [[], ['--json'], ['--markdown']].map((form) =>
      gatehouse('plan', '--from', '1.47.1', '--to', '1.161.0', '--config', ...files, ...form),
    ),
  );
  for (const { code, output, errors } of forms) {
    expect({ code, errors }).toEqual({ code: 4, errors: '' });
    expect(output).not.toContain('S3CRET');
  }
  const { config } = JSON.parse(forms[1]?.output ?? '');
  const places = config
    .filter(({ note }: { note: string }) => note !== '1.67.0/tcp-replication')
    .map((found: { file: string; line: number; setting: string }) => [found.file, found.line, found.setting]);
  expect(places).toEqual([
    [main, 7, 'enable_registration'],
    [main, 10, 'account_threepid_delegates.email'],
    [main, 12, 'experimental_features.msc3861'],
    [worker, 1, 'worker_app'],
    [worker, 1, 'worker_app'],
    [worker, 2, 'worker_replication_host'],
    [main, 8, 'enable_legacy_metrics'],
  ]);
  expect(forms[0]?.output).toContain(`${main}:7:1  enable_registration`);
});

test('ignores findings that are listed with a reason', async () => {
  const config = await file('homeserver.yaml', 'enable_legacy_metrics: true\nacme:\n');
  const ignores = await file(
    'ignored',
    '# Decided in June.\n1.73.0/legacy-metrics  Über Prometheus geklärt\n',
  );
  const plan = ['plan', '--from', '1.70.0', '--config', config];
  expect(await gatehouse(...plan)).toMatchObject({ code: 3 });
  const ignored = await gatehouse(...plan, '--ignore-file', ignores, '--ignore', '1.37.0/acme=later');
  expect(ignored.code).toBe(0);
  expect(ignored.output).toContain('1.73.0/legacy-metrics: Über Prometheus geklärt');
  expect(ignored.output).not.toContain('Required configuration changes');
  expect(await gatehouse(...plan, '--ignore', '1.73.0/legacy-metrics')).toMatchObject({
    code: 1,
    errors: 'gatehouse: --ignore: no reason for 1.73.0/legacy-metrics; add why it stays as it is\n',
  });
  expect((await gatehouse(...plan, '--ignore', 'x=y')).errors).toContain('unknown ID x');
});

test('uses the requested strategy and install method', async () => {
  const { output } = await gatehouse(
    ...['plan', '--from', '1.83.0', '--to', '1.98.0', '--stops', 'fewest', '--install', 'docker'],
  );
  expect(output).toContain('v1.91.2  (version 1 of 3)');
  expect(output).toContain('$ docker pull matrixdotorg/synapse:v1.91.2');
  expect(output).not.toContain('python3 --version');
});

test('a configuration with nothing to change: exit code 0', async () => {
  const config = await file('good.yaml', 'server_name: example.org\nenable_registration: false\n');
  const { code, output } = await gatehouse('plan', '--from', '1.149.1', '--config', config);
  expect(code).toBe(0);
  expect(output).toContain('\nConfiguration\n  No changes needed for this plan.\n\n');
});

test('asks a server for its version, and prints requests with its address', async () => {
  const token = homeserver.as('admin').accessToken ?? '';
  const tokenFile = await file('token', `${token}\n`);
  const args = ['--server', homeserver.url, '--token-file', tokenFile];
  const { code, output, errors } = await gatehouse('plan', ...args, '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(JSON.parse(output)).toMatchObject({ from: serverVersion, to: '1.161.0', stops: [] });

  const older = await gatehouse('plan', '--from', '1.160.0', ...args);
  expect(older.output).toContain(`'${homeserver.url}/_service/admin/v1/server_version'`);
  expect(older.output).not.toContain(token);
});

/** Runs a server with the other dialect and background updates. */
async function withServer<Result>(
  answer: (path: string) => [number, unknown],
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const listener: RequestListener = ({ url = '' }, response) => {
    const [status, body] = answer(url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const unknown: [number, unknown] = [404, { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' }];

test("lists pending background updates and uses the server's API paths", async () => {
  const replies: Record<string, [number, unknown]> = {
    '/_matrix/client/versions': [200, { versions: ['v1.1'] }],
    '/_synapse/admin/v1/server_version': [200, { server_version: '1.143.0 (b=main,abc)' }],
    '/_synapse/admin/v1/background_updates/status': [
      200,
      { enabled: true, current_updates: { master: { name: 'populate_stats', total_item_count: 1 } } },
    ],
  };
  const tokenFile = await file('token', 'syt_S3CRET');
  const { code, output } = await withServer(
    (path) => replies[path] ?? unknown,
    (url) => gatehouse('plan', '--server', url, '--token-file', tokenFile, '--json'),
  );
  expect(code).toBe(0);
  const plan = JSON.parse(output);
  expect(plan.from).toBe('1.143.0');
  expect(plan.warnings[0]).toContain('(populate_stats)');
  expect(plan.stops[0].steps.at(-1).command).toContain('/_synapse/admin/v1/background_updates/status');
  expect(output).not.toContain('S3CRET');
});

test('a server without background update status', async () => {
  const tokenFile = await file('token', 'syt_S3CRET');
  const { code, output } = await withServer(
    (path) => {
      if (path.endsWith('/_matrix/client/versions')) return [200, { versions: [] }];
      return path.endsWith('/server_version') ? [200, { server_version: '1.143.0' }] : unknown;
    },
    (url) => gatehouse('plan', '--server', url, '--token-file', tokenFile, '--json'),
  );
  expect(code).toBe(0);
  expect(JSON.parse(output).warnings[0]).toContain("Background update status isn't available.");
});

test.each<[string, [number, unknown], RegExp]>([
  ['refuses the token', [401, { errcode: 'M_UNKNOWN_TOKEN', error: 'No syt_S3CRET here' }], /credentials/],
  ['reports no version', [200, { server_version: 'latest' }], /“latest” isn't a version; .*--from/],
  ['is of another kind', [200, { version: '1' }], /Unexpected response/],
])('a server that %s: one line, without the token', async (_, version, message) => {
  const tokenFile = await file('token', 'syt_S3CRET');
  const answer = (path: string): [number, unknown] => {
    if (path.endsWith('/versions')) return [200, { versions: [] }];
    return path.endsWith('/server_version') ? version : unknown;
  };
  const { code, output, errors } = await withServer(answer, (url) =>
    gatehouse('plan', '--server', url, '--token-file', tokenFile),
  );
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^gatehouse: --server: .*\n$/);
  expect(errors).toMatch(message);
  expect(errors).not.toContain('S3CRET');
});

test.each<[string, string[], RegExp]>([
  ['no version to plan from', [], /^gatehouse: --from: .*--server/],
  [
    'no version in --from',
    ['--from', 'latest'],
    /^gatehouse: --from: “latest” isn't a version; use a format like/,
  ],
  ['no version in --to', ['--from', '1.98.0', '--to', '2'], /^gatehouse: --to: “2” isn't a version; /],
  ['a missing file', ['--from', '1.98.0', '--config', '/no/such'], /^gatehouse: \/no\/such: .*ENOENT/],
  ['a server without a token', ['--server', 'localhost:1'], /^gatehouse: --token-file: missing;/],
  ['a token without a server', ['--from', '1.98.0', '--token-file', 'x'], /^gatehouse: --server: missing;/],
  ['a missing token file', ['--server', 'localhost:1', '--token-file', '/no/such'], /ENOENT/],
])('%s: exit code 1 and one line', async (_, args, message) => {
  const { code, output, errors } = await gatehouse('plan', ...args);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(message);
  expect(errors).toMatch(/^[^\n]+\n$/);
});

test.each([
  [
    'a file that is not YAML',
    'a: "S3CRET\n',
    /^gatehouse: .*broken\.yaml, line 2, column 1: invalid YAML: missing quote/,
  ],
  ['a file without settings', 'S3CRET', /^gatehouse: .*broken\.yaml: no settings/],
])("%s isn't quoted", async (_, text, message) => {
  const config = await file('broken.yaml', text);
  const { code, errors } = await gatehouse('plan', '--from', '1.98.0', '--config', config);
  expect(code).toBe(1);
  expect(errors).toMatch(message);
  expect(errors).toMatch(/^[^\n]+\n$/);
  expect(errors).not.toContain('S3CRET');
});

test('a token file with other content, and an unreachable server', async () => {
  const plan = async (text: string) =>
    gatehouse('plan', '--server', 'http://127.0.0.1:9', '--token-file', await file('token', text));
  expect(await plan('one S3CRET\ntwo')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^gatehouse: .*token: doesn't contain a single access token; (?!.*S3CRET).*\n$/,
    ),
  });
  expect(await plan('syt_S3CRET')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: --server: Can't reach http:\/\/127\.0\.0\.1:9\. .*\n$/),
  });
});

test('continues with a repeated key and an include, reading the file as the server would', async () => {
  const config = await file(
    'homeserver-twice.yaml',
    'server_name: x\nredis: !include redis.yaml\nserver_name: y\n',
  );
  const { code, output, errors } = await gatehouse('plan', '--from', '1.160', '--config', config);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const text = output.replace(/\s+/g, ' ');
  expect(text).toContain('server_name is set on lines 1 and 3. Line 3 applies.');
  expect(text).toContain("line 2: !include isn't followed. Add redis.yaml.");
});

test("refuses a file that isn't UTF-8", async () => {
  const path = join(directory, 'latin-1.yaml');
  await writeFile(path, Buffer.from('admin_contact: M\xfcller\n', 'latin1'));
  const { code, errors } = await gatehouse('plan', '--from', '1.98.0', '--config', path);
  expect(code).toBe(1);
  expect(errors).toContain(`${path}: not UTF-8 text; convert it to UTF-8`);
});

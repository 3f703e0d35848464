import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateKeys } from '../../../server/identity/login/jwt-token.ts';
import { gatehouse, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let directory: string;
let shared: string;
let keyPair: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-jwt-'));
  shared = await write(
    'shared.yaml',
    'jwt_config: {enabled: true, algorithm: HS256, secret: shh, audiences: [chat], issuer: us}\n',
  );
  const { private_key: key = '', public_key: known = '' } = await generateKeys('ES256');
  await write('private.pem', key);
  const settings = { jwt_config: { enabled: true, algorithm: 'ES256', secret: known } };
  keyPair = await write('pair.yaml', JSON.stringify(settings));
});
afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  return file;
}

test('a minted token is valid, and one with a wrong claim is refused with the reason', async () => {
  const minted = await gatehouse('jwt', 'mint', '--sub', 'alice', '--config', shared);
  expect(minted.code).toBe(0);
  const good = await gatehouse('jwt', 'verify', minted.output.trim(), '--config', shared);
  expect(good).toMatchObject({ code: 0, errors: '' });
  expect(good.output).toMatch(/^ok {5}signature +matches the configured key$/m);
  expect(good.output).toMatch(/^Valid: /m);

  const mint = [
    'jwt',
    'mint',
    '--sub',
    'alice',
    '--claim',
    'aud=elsewhere',
    '--exp',
    '-1h',
    '--config',
    shared,
  ];
  const wrong = await gatehouse(
    'jwt',
    'verify',
    (await gatehouse(...mint)).output.trim(),
    '--config',
    shared,
  );
  expect(wrong.code).toBe(1);
  expect(wrong.output).toMatch(/^FAILED audience +claim 'aud' doesn't match the configuration$/m);
  expect(wrong.output).toMatch(/^FAILED expiry +token has expired$/m);
  expect(wrong.output).toMatch(
    /^Rejected: JWT validation failed: claim 'aud' doesn't match the configuration$/m,
  );
});

test('a token without expiry has no exp and is valid', async () => {
  const minted = await gatehouse('jwt', 'mint', '--sub', 'alice', '--exp', 'never', '--config', shared);
  const { code, output } = await gatehouse('jwt', 'verify', minted.output.trim(), '--config', shared);
  expect(output).toMatch(/^ok {5}expiry +no exp claim/m);
  expect(code).toBe(0);
});

test('a private key signs for a server that knows the public one', async () => {
  const without = await gatehouse('jwt', 'mint', '--sub', 'alice', '--config', keyPair);
  expect(without).toMatchObject({ code: 2, output: '' });
  expect(without.errors).toContain('public key');
  const key = join(directory, 'private.pem');
  const minted = await gatehouse('jwt', 'mint', '--sub', 'alice', '--config', keyPair, '--key', key);
  expect(await gatehouse('jwt', 'verify', minted.output.trim(), '--config', keyPair)).toMatchObject({
    code: 0,
  });
});

test.each([
  ['in the configuration', 'secret: |\n    shh', 'shh', /without the trailing newline/],
  ['in the key', 'secret: shh', 'shh\n\n', /plus a trailing newline/],
])('an unintended line end (%s) is reported', async (name, secret, key, said) => {
  const config = await write(
    `${name}.yaml`,
    `jwt_config:\n  enabled: true\n  algorithm: HS256\n  ${secret}\n`,
  );
  const mint = ['mint', '--sub', 'alice', '--config', config, '--key', await write(`${name}.key`, key)];
  const verify = async (token: string) => gatehouse('jwt', 'verify', token, '--config', config);
  const { code, output } = await verify((await gatehouse('jwt', ...mint)).output.trim());
  expect(code).toBe(1);
  expect(output).toMatch(/^Rejected: JWT validation failed: signature doesn't match$/m);
  expect(output).toMatch(said);
  const other = await gatehouse('jwt', ...mint.slice(0, -1), await write('other.key', 'another'));
  expect((await verify(other.output.trim())).output).not.toContain('newline');
});

test.each([
  ['no name', ['mint'], '--sub'],
  ['no configuration', ['mint', '--sub', 'alice'], '--server'],
  ['no such file', ['verify', 'a.b.c', '--config', 'nowhere.yaml'], 'nowhere.yaml'],
  ['an invalid time', ['mint', '--sub', 'alice', '--exp', 'soon'], '--exp'],
])('wrong use, %s: exit code 2', async (_, args, said) => {
  const { code, output, errors } = await gatehouse('jwt', ...args);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toContain(said);
});

test('a token for a running server uses its settings and secret', async () => {
  const config = await write(
    'running.yaml',
    'jwt_config: {enabled: true, algorithm: HS384, secret: x, issuer: us}\n',
  );
  const server = await serve('--data-dir', join(directory, 'running'), '--config', config);
  const link = await gatehouse(
    ...['users', 'sign-in-link', '--data-dir', join(directory, 'running'), '--config', config],
    ...['--console', `${server.url}/console/`],
  );
  const [, loginToken] = /login_token=(\S+)/.exec(link.output) ?? [];
  const login = (body: object) => call(server.url, 'POST', '/_chat/client/v3/login', undefined, body);
  const { body } = await login({ type: 'm.login.token', token: loginToken });
  const tokenFile = await write('token', `${body.access_token}\n`);
  const mint = ['jwt', 'mint', '--sub', 'alice', '--server', server.url];
  const { output, code } = await gatehouse(...mint, '--token-file', tokenFile);
  expect(code).toBe(0);
  expect(await login({ type: 'org.vendor.login.jwt', token: output.trim() })).toMatchObject({ status: 200 });
  const verified = await gatehouse('jwt', 'verify', output.trim(), '--config', config, '--json');
  expect(JSON.parse(verified.output)).toMatchObject({ accepted: true, claims: { iss: 'us', sub: 'alice' } });

  const wrong = await gatehouse(...mint, '--token-file', await write('wrong', 'not-a-token'));
  expect(wrong).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^gatehouse: --server: Invalid access token/),
  });
  expect(await gatehouse(...mint)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--token-file'),
  });
  await server.end('SIGTERM');
  expect(await gatehouse(...mint, '--token-file', tokenFile)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^gatehouse: --server: Can't reach [^\n]*\n$/),
  });
});

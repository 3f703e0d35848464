/** Creating and inspecting JWTs in the developer tools. The login tests cover the validation rules. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFromThisMachine } from '../../../server/platform/http/this-machine.ts';
import { jwtAlgorithms } from '../../../shared/workbench/jwt.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';

const jwt = {
  secret: 'my-secret-token',
  algorithm: 'HS256',
  subjectClaim: 'sub',
  displayNameClaim: 'name',
  issuer: undefined,
  audiences: ['chat'],
} as const;

const paths = '/_gatehouse/v1/jwt';

describe('with a shared secret', () => {
  let homeserver: TestHomeserver;
  beforeAll(async () => {
    homeserver = await startHomeserver({
      config: {
        jwt: { ...jwt, audiences: ['chat'] },
        listeners: [{ ...localListener, bindAddresses: ['0.0.0.0'] }],
      },
    });
  });
  afterAll(() => homeserver.remove());
  const post = (path: string, body: unknown) => homeserver.as('admin').post(`${paths}/${path}`, body);

  test('shows the configuration without the secret', async () => {
    const { body } = await homeserver.as('admin').get(paths);
    expect(body).toEqual({
      enabled: true,
      can_sign: true,
      algorithm: 'HS256',
      subject_claim: 'sub',
      display_name_claim: 'name',
      audiences: ['chat'],
    });
  });

  test('a token minted with the configured key is valid', async () => {
    const { body } = await post('mint', { claims: { sub: 'newcomer', name: 'New', aud: 'chat' } });
    const explained = await post('explain', { token: body.token });
    expect(explained.body).toMatchObject({
      accepted: true,
      localpart: 'newcomer',
      display_name: 'New',
      header: { alg: 'HS256', typ: 'JWT' },
      claims: { sub: 'newcomer', name: 'New', aud: 'chat' },
    });
    expect(explained.body.checks.every((check: { passed: boolean }) => check.passed)).toBe(true);
    const login = await homeserver
      .as('guest')
      .post('/_chat/client/v3/login', { type: 'org.vendor.login.jwt', token: body.token });
    expect(login).toMatchObject({ status: 200, body: { user_id: '@newcomer:localhost' } });
  });

  test('all faults of a token are listed, and the first is the refusal', async () => {
    const { body } = await post('mint', { claims: { sub: 5, aud: 'x', exp: 1 }, key: 'another' });
    const explained = await post('explain', { token: body.token });
    expect(explained.body.refusal).toBe("JWT validation failed: signature doesn't match");
    const failed = explained.body.checks.filter(({ passed }: { passed: boolean }) => !passed);
    expect(failed).toMatchObject([
      { check: 'signature', passed: false },
      { check: 'audience', sentence: "claim 'aud' doesn't match the configuration" },
      { check: 'expiry', sentence: 'token has expired' },
      { check: 'subject', sentence: "claim 'sub' must be a string" },
      { check: 'user', passed: null },
    ]);
  });

  test("a too deeply nested token isn't parsed", async () => {
    const deep = Buffer.from(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`).toString('base64url');
    const header = Buffer.from('{"alg":"HS256"}').toString('base64url');
    for (const token of [`${header}.${deep}.x`, `${deep}.e30.x`]) {
      expect(await post('explain', { token })).toMatchObject({ status: 200, body: { accepted: false } });
    }
  });

  test.each(jwtAlgorithms)('keys for %s sign', async (algorithm) => {
    const { body: keys } = await post('keys', { algorithm });
    const key = keys.secret ?? keys.private_key;
    const { status, body } = await post('mint', {
      claims: { sub: 'a' },
      algorithm,
      key,
      header: { kid: '1' },
    });
    expect(status).toBe(200);
    const { body: explained } = await post('explain', { token: body.token });
    expect(explained.header).toEqual({ alg: algorithm, typ: 'JWT', kid: '1' });
  });

  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const pem = (type: 'pkcs8' | 'sec1') => privateKey.export({ type, format: 'pem' }).toString();
  test.each<[string, string]>([
    ['in PEM', pem('pkcs8')],
    ['in the older form of its kind', pem('sec1')],
    ['with the line ends of Windows', pem('pkcs8').replaceAll('\n', '\r\n')],
    ['out of a file of settings', `\n${pem('pkcs8').replaceAll(/^/gm, '    ')}\n\n`],
    ['with its line ends escaped', pem('pkcs8').replaceAll('\n', '\\n')],
    ['as a JWK', `\n${JSON.stringify(privateKey.export({ format: 'jwk' }), null, 2)}`],
  ])('a private key pasted %s signs', async (_, pasted) => {
    const { status, body } = await post('mint', { claims: { sub: 'a' }, algorithm: 'ES256', key: pasted });
    expect(status).toBe(200);
    const [header, payload, signature = ''] = body.token.split('.');
    const input = Buffer.from(`${header}.${payload}`);
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', input, key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  test.each<[string, object, number, string]>([
    ['a key of another kind', { algorithm: 'RS256', key: 'secret' }, 400, 'M_INVALID_PARAM'],
    ['a public key', { algorithm: 'ES256', key: publicPem }, 400, 'M_INVALID_PARAM'],
    ["JSON that isn't a key", { algorithm: 'ES256', key: '{"kty":"EC"}' }, 400, 'M_INVALID_PARAM'],
    ['no algorithm that is known', { algorithm: 'XS256' }, 400, 'M_BAD_JSON'],
  ])('mints nothing with %s', async (_, given, status, errcode) => {
    expect(await post('mint', { claims: {}, ...given })).toMatchObject({ status, body: { errcode } });
  });

  test("reading a long invalid key doesn't block", async () => {
    const key = `x${' '.repeat(19_900)}x`;
    const longest = await longestTurn(() => post('mint', { claims: {}, algorithm: 'ES256', key }));
    expect(longest).toBeLessThan(mostTurn);
  });

  /** Sends headers unchanged; `fetch` modifies some of them. */
  const statusWith = async (headers: Record<string, string>) => {
    const authorization = `Bearer ${homeserver.as('admin').accessToken}`;
    const asked = request(homeserver.url + paths, { headers: { authorization, ...headers } }).end();
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    const body = await text(reply);
    if (reply.statusCode !== 200) expect(JSON.parse(body)).toMatchObject({ errcode: 'M_FORBIDDEN' });
    return reply.statusCode;
  };

  test.each([
    ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6'],
    ...['True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'Fly-Client-IP', 'Fastly-Client-IP'],
    ...['X-Envoy-External-Address', 'X-Azure-ClientIP', 'X-Original-Forwarded-For', 'WL-Proxy-Client-IP'],
  ])('is refused through a proxy that adds %s', async (name) => {
    expect(await statusWith({ [name]: '127.0.0.1' })).toBe(403);
  });

  test.each<[number, string, Record<string, string>]>([
    [403, 'a proxy of another kind', { Forwarded: 'for=127.0.0.1' }],
    [403, 'one that only says that it is there', { Via: '1.1 proxy' }],
    [403, 'a proxy that says for which host it speaks', { Host: 'chat.example.org' }],
    [403, 'a name that somebody else leads here', { Host: '127.0.0.1.example.org:8008' }],
    [403, 'an address of this machine for others', { Host: '192.0.2.1' }],
    [403, 'a page of somebody else', { Origin: 'https://example.org' }],
    [403, 'a page of somebody else that says who it seems', { Origin: 'http://localhost.example.org:8008' }],
    [403, 'a page of nobody', { Origin: 'null' }],
    [403, 'a link on a page of somebody else', { 'Sec-Fetch-Site': 'cross-site' }],
    [200, 'this machine by its name', { Host: 'localhost:1' }],
    [200, 'this machine by another address', { Host: '127.1.2.3' }],
    [200, 'this machine by the newer address', { Host: '[::1]:8008' }],
    [200, 'a page that this machine serves', { Origin: 'http://127.0.0.1:5173' }],
    [
      200,
      'a page that it serves by another name',
      { Origin: 'http://localhost', 'Sec-Fetch-Site': 'cross-site' },
    ],
    [200, 'an address that somebody typed', { 'Sec-Fetch-Site': 'none' }],
  ])('%s for %s', async (status, _, headers) => {
    expect(await statusWith(headers)).toBe(status);
  });

  test('is refused from another computer', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
    // Without an external address, only the rule itself is tested.
    const socket = { remoteAddress: outside ?? '192.0.2.1', localAddress: '127.0.0.1' };
    expect(isFromThisMachine({ socket, rawHeaders: ['Host', 'localhost'] } as never)).toBe(false);
    if (!outside) return;
    const url = homeserver.url.replace('127.0.0.1', outside);
    const { accessToken } = homeserver.as('admin');
    const reply = await fetch(url + paths, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(reply.status).toBe(403);
  });

  test('is for admins only', async () => {
    expect(await homeserver.as('guest').get(paths)).toMatchObject({ status: 401 });
    expect(await homeserver.as('alice').get(paths)).toMatchObject({ status: 403 });
  });
});

test('with JWT login off, it shows that and mints with a given key', async () => {
  const homeserver = await startHomeserver();
  const admin = homeserver.as('admin');
  expect((await admin.get(paths)).body).toEqual({ enabled: false, can_sign: false });
  expect(await admin.post(`${paths}/mint`, { claims: {}, algorithm: 'HS256' })).toMatchObject({
    status: 400,
  });
  const { body } = await admin.post(`${paths}/mint`, { claims: { sub: 'a' }, algorithm: 'HS256', key: 'x' });
  expect((await admin.post(`${paths}/explain`, { token: body.token })).body).toMatchObject({
    accepted: false,
    refusal: 'Unknown login type org.vendor.login.jwt',
    checks: [{ check: 'enabled', passed: false }],
    claims: { sub: 'a' },
  });
  await homeserver.remove();
});

test('is available for local servers only, unless disabled', async () => {
  const open = await startHomeserver({ config: { workbench: 'anywhere' } });
  const { accessToken } = open.as('admin');
  const headers = { authorization: `Bearer ${accessToken}`, 'x-forwarded-for': '192.0.2.1' };
  expect((await fetch(open.url + paths, { headers })).status).toBe(200);
  await open.remove();

  const without = await startHomeserver({ config: { workbench: 'nowhere' } });
  expect((await without.as('admin').get(paths)).status).toBe(404);
  await without.remove();
});

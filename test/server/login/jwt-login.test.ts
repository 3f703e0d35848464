import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JwtConfig } from '../../../server/platform/config/jwt.ts';
import type { JwtAlgorithm } from '../../../shared/workbench/jwt.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
const now = clock.now() / 1000;
const shared = 'my-secret-token';

type Key = string | KeyObject;

function sign(
  payload: unknown,
  { algorithm = 'HS256', key = shared as Key, header = {} } = {},
): Promise<string> {
  return new SignJWT(payload as JWTPayload)
    .setProtectedHeader({ alg: algorithm, ...header })
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
}

const unsigned = (header: unknown, payload: unknown) =>
  `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

const defaults: JwtConfig = {
  secret: shared,
  algorithm: 'HS256',
  subjectClaim: 'sub',
  displayNameClaim: undefined,
  issuer: undefined,
  audiences: undefined,
};

const withJwt = (jwt: Partial<JwtConfig>) =>
  startHomeserver({ clock, config: { jwt: { ...defaults, ...jwt } } });

/** Logs in and checks that the token inspector gives the same result. */
async function logIn(
  homeserver: TestHomeserver,
  token: unknown,
  type = 'org.vendor.login.jwt',
  client = '/_chat',
) {
  if (typeof token !== 'string') {
    return homeserver.as('guest').post(`${client}/client/r0/login`, { type, token });
  }
  const { body: explained } = await homeserver.as('admin').post('/_gatehouse/v1/jwt/explain', { token });
  const reply = await homeserver.as('guest').post(`${client}/client/r0/login`, { type, token });
  expect(explained.accepted).toBe(reply.status === 200);
  expect(explained.refusal).toBe(reply.body.error);
  return reply;
}

describe('a shared secret', () => {
  let homeserver: TestHomeserver;
  beforeAll(async () => {
    homeserver = await withJwt({ displayNameClaim: 'name' });
  });
  afterAll(() => homeserver.remove());

  test('a display name that is too long is cut', async () => {
    const token = await sign({ sub: 'longname', name: 'x'.repeat(100_000) });
    expect((await logIn(homeserver, token)).status).toBe(200);
    const { body } = await homeserver.as('guest').get('/_chat/client/v3/profile/@longname:localhost');
    expect(body.displayname).toBe('x'.repeat(256));
  });

  test.each([
    ['vendor', '/_chat', 'org.vendor.login.jwt'],
    ['matrix', '/_matrix', 'org.matrix.login.jwt'],
  ])('is listed and accepted in the %s dialect, each with its own type', async (_, client, type) => {
    const flows = await homeserver.as('guest').get(`${client}/client/r0/login`);
    expect(flows.body.flows).toContainEqual({ type });
    expect(flows.body.flows.filter((flow: { type: string }) => flow.type.endsWith('jwt'))).toHaveLength(1);
    const reply = await logIn(homeserver, await sign({ sub: 'alice' }), type, client);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        user_id: '@alice:localhost',
        home_server: 'localhost',
        access_token: expect.any(String),
        device_id: expect.any(String),
      },
    });
  });

  test.each([
    ['/_chat', 'org.matrix.login.jwt'],
    ['/_matrix', 'org.vendor.login.jwt'],
  ])('%s refuses the other dialect’s login type', async (client, type) => {
    const response = await fetch(`${homeserver.url}${client}/client/r0/login`, {
      method: 'POST',
      body: JSON.stringify({ type, token: await sign({ sub: 'alice' }) }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errcode: 'M_INVALID_PARAM' });
  });

  test('creates an unknown user once, even on concurrent logins', async () => {
    const token = await sign({ sub: 'newcomer', name: 'New Comer' });
    const replies = await Promise.all([logIn(homeserver, token), logIn(homeserver, token)]);
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200, body: { user_id: '@newcomer:localhost' } });
    }
    const whoami = await fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
      headers: { authorization: `Bearer ${replies[0]?.body.access_token}` },
    });
    expect(await whoami.json()).toMatchObject({ user_id: '@newcomer:localhost' });
  });

  test('uses the requested device', async () => {
    const reply = await homeserver.as('guest').post('/_chat/client/r0/login', {
      type: 'org.vendor.login.jwt',
      token: await sign({ sub: 'bob' }),
      device_id: 'BOBSPHONE',
    });
    expect(reply).toMatchObject({ status: 200, body: { device_id: 'BOBSPHONE' } });
  });

  test.each<[string, JWTPayload]>([
    ['times that hold', { exp: now + 60, nbf: now - 60, iat: now - 60 }],
    ['clocks that differ by a minute', { exp: now - 60, nbf: now + 60, iat: now + 60 }],
    ['any issuer, where none is configured', { iss: 'https://issuer.example' }],
    ['a time before 1970', { iat: -5 }],
    ['a time beyond every calendar', { exp: 1e300 }],
  ])('accepts %s', async (_, claims) => {
    expect(await logIn(homeserver, await sign({ sub: 'alice', ...claims }))).toMatchObject({ status: 200 });
  });

  const failed = (sentence: string) => ({
    status: 403,
    body: { errcode: 'M_FORBIDDEN', error: `JWT validation failed: ${sentence}` },
  });

  test.each<[string, () => Promise<string> | string, string]>([
    ['another secret', () => sign({ sub: 'alice' }, { key: 'not-the-secret' }), "signature doesn't match"],
    ['an old token', () => sign({ sub: 'alice', exp: now - 1000 }), 'token has expired'],
    [
      'a token from the future',
      () => sign({ sub: 'alice', iat: now + 1000 }),
      'token was issued in the future',
    ],
    ['a token that is not valid yet', () => sign({ sub: 'alice', nbf: now + 1000 }), "token isn't valid yet"],
    ['times as strings', () => sign({ sub: 'alice', exp: '9999999999' }), "claim 'exp' must be a number"],
    ['an issue time as string', () => sign({ sub: 'alice', iat: '1' }), "claim 'iat' must be a number"],
    [
      'an audience, where none is configured',
      () => sign({ sub: 'alice', aud: 'us' }),
      'token has an audience, but none is configured',
    ],
    ['no subject', () => sign({ iss: 'x' }), "claim 'sub' is required"],
    ['nothing as subject', () => sign({ sub: null }), "claim 'sub' must be a string"],
    ['a number as subject', () => sign({ sub: 5 }), "claim 'sub' must be a string"],
    [
      'another algorithm of the same family',
      () => sign({ sub: 'alice' }, { algorithm: 'HS512' }),
      "token isn't signed with the configured algorithm",
    ],
    [
      'no algorithm at all',
      () => unsigned({ alg: 'none' }, { sub: 'alice' }),
      "token isn't signed with the configured algorithm",
    ],
    [
      'an unknown critical header',
      () => sign({ sub: 'alice' }, { header: { crit: ['urgent'], urgent: true } }).catch(() => critical()),
      'token header requires an unsupported extension',
    ],
    [
      'an encrypted-looking token',
      () => 'a.b.c.d.e',
      'not a JSON Web Token that the configured key can verify',
    ],
    ['words', () => 'let me in', 'not a JSON Web Token that the configured key can verify'],
    ['nothing', () => '', 'not a JSON Web Token that the configured key can verify'],
  ])('refuses %s', async (_, token, sentence) => {
    expect(await logIn(homeserver, await token())).toMatchObject(failed(sentence));
  });

  test.each<[string, unknown, number, string]>([
    ['no token', undefined, 403, 'M_FORBIDDEN'],
    ["a token that isn't a string", 5, 400, 'M_BAD_JSON'],
  ])('refuses %s', async (_, token, status, errcode) => {
    expect(await logIn(homeserver, token)).toMatchObject({ status, body: { errcode } });
  });

  test.each([
    ['UPPER', 'M_INVALID_USERNAME'],
    ['alice:elsewhere.org', 'M_INVALID_USERNAME'],
    ['@alice:localhost', 'M_INVALID_USERNAME'],
    ['a'.repeat(300), 'M_INVALID_USERNAME'],
    ['', 'M_INVALID_USERNAME'],
    ['12345', 'M_INVALID_USERNAME'],
    ['_bridge', 'M_INVALID_USERNAME'],
  ])('refuses the localpart %j of a valid token', async (sub, errcode) => {
    expect(await logIn(homeserver, await sign({ sub }))).toMatchObject({ status: 400, body: { errcode } });
  });
});

/** Returns a correctly signed token with a critical extension in its header. jose refuses to create one. */
async function critical(): Promise<string> {
  const head = [{ alg: 'HS256', crit: ['urgent'], urgent: true }, { sub: 'alice' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${head}.${createHmac('sha256', shared).update(head).digest('base64url')}`;
}

describe('a header that points to another key', () => {
  let homeserver: TestHomeserver;
  let elsewhere: Server;
  let asked = 0;
  const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });

  beforeAll(async () => {
    homeserver = await withJwt({});
    elsewhere = createServer((_request, response) => {
      asked++;
      response.end(JSON.stringify({ keys: [attacker.publicKey.export({ format: 'jwk' })] }));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    elsewhere.close();
    await homeserver.remove();
  });

  const url = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/keys`;

  test.each<[string, () => object]>([
    ['kid, a path', () => ({ kid: '../../../../dev/null' })],
    ['kid, SQL', () => ({ kid: "x' union select 'secret'" })],
    ['jku', () => ({ jku: url() })],
    ['x5u', () => ({ x5u: url() })],
    ['jwk', () => ({ jwk: attacker.publicKey.export({ format: 'jwk' }) })],
  ])("%s: isn't followed", async (_, header) => {
    // Signed with an attacker's own key, and with an empty secret, as an empty file would give.
    const forged = await sign(
      { sub: 'admin' },
      { algorithm: 'RS256', key: attacker.privateKey, header: header() },
    );
    const emptied = await sign({ sub: 'admin' }, { key: '\0', header: header() });
    for (const token of [forged, emptied]) {
      expect(await logIn(homeserver, token)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
    }
    // With the right secret, the header has no effect.
    expect((await logIn(homeserver, await sign({ sub: 'alice' }, { header: header() }))).status).toBe(200);
    expect(asked).toBe(0);
  });

  test('the last of a repeated claim counts', async () => {
    const head = ['{"alg":"HS256"}', '{"sub":"alice","sub":"bob"}']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    const token = `${head}.${createHmac('sha256', shared).update(head).digest('base64url')}`;
    expect(await logIn(homeserver, token)).toMatchObject({
      status: 200,
      body: { user_id: '@bob:localhost' },
    });
  });

  test.each(['hs256', 'HS256 ', 'None', 'nOnE', ''])("the algorithm %j isn't HS256", async (alg) => {
    const head = [JSON.stringify({ alg }), '{"sub":"alice"}']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    const token = `${head}.${createHmac('sha256', shared).update(head).digest('base64url')}`;
    expect(await logIn(homeserver, token)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  });
});

describe('own issuer, audiences and subject claim', () => {
  let homeserver: TestHomeserver;
  beforeAll(async () => {
    homeserver = await withJwt({
      issuer: 'https://us.example',
      audiences: ['chat', 'other'],
      subjectClaim: 'login',
    });
  });
  afterAll(() => homeserver.remove());

  const good = { login: 'alice', iss: 'https://us.example', aud: 'chat' };

  test.each<[string, JWTPayload, number]>([
    ['all of them', good, 200],
    ['the other audience', { ...good, aud: 'other' }, 200],
    ['an audience among several', { ...good, aud: ['x', 'chat'] }, 200],
    ['another audience', { ...good, aud: 'x' }, 403],
    ['no audience', { login: 'alice', iss: good.iss }, 403],
    ['another issuer', { ...good, iss: 'https://them.example' }, 403],
    ['no issuer', { login: 'alice', aud: 'chat' }, 403],
    ['the subject in the usual claim', { sub: 'alice', iss: good.iss, aud: 'chat' }, 403],
  ])('%s: status follows', async (_, claims, status) => {
    expect(await logIn(homeserver, await sign(claims))).toMatchObject({ status });
  });
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyPairs = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
  Ed25519: generateKeyPairSync('ed25519'),
};

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

test.each(Object.entries(keyPairs) as [JwtAlgorithm, typeof rsa][])(
  "a %s key pair: its tokens are accepted, others aren't",
  async (algorithm, pair) => {
    const homeserver = await withJwt({ algorithm, secret: pem(pair.publicKey) });
    const token = await sign({ sub: 'alice' }, { algorithm, key: pair.privateKey });
    expect(await logIn(homeserver, token)).toMatchObject({ status: 200 });

    // The public key isn't secret: a token signed with it by HMAC must be rejected.
    const confused = await sign({ sub: 'alice' }, { key: pem(pair.publicKey) });
    expect(await logIn(homeserver, confused)).toMatchObject({
      status: 403,
      body: { errcode: 'M_FORBIDDEN' },
    });
    await homeserver.remove();
  },
);

test.each(['HS256', 'HS384', 'HS512'] as const)('%s works with a short secret', async (algorithm) => {
  const homeserver = await withJwt({ algorithm });
  expect(await logIn(homeserver, await sign({ sub: 'alice' }, { algorithm }))).toMatchObject({ status: 200 });
  await homeserver.remove();
});

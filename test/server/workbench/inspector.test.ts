/** The inspector shows requests without secrets. */
import { createHmac } from 'node:crypto';
import { queryObjects } from 'node:v8';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listensHereOnly } from '../../../server/platform/http/this-machine.ts';
import type { InspectedRequest } from '../../../shared/workbench/inspector.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';
import { connectTo, parseReply } from '../raw-connection.ts';

const path = '/_gatehouse/v1/inspector';
const appService = {
  id: 'bridge',
  token: 'token-of-the-app-service',
  hsToken: 'token-for-the-app-service',
  senderUserId: '@bridge:localhost',
  rateLimited: false,
  userNamespaces: [],
  aliasNamespaces: [],
  roomNamespaces: [],
  url: undefined,
  receivesEphemeral: false,
};
const configured = {
  jwt: 'secret-of-jwt-logins',
  registration: 'secret-of-registration',
  turn: 'secret-of-turn',
};

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    config: {
      jwt: {
        secret: configured.jwt,
        algorithm: 'HS256',
        subjectClaim: 'sub',
        displayNameClaim: undefined,
        issuer: undefined,
        audiences: undefined,
      },
      registration: { enabled: true, requiresToken: true, sharedSecret: configured.registration },
      turn: {
        uris: ['turn:turn.example'],
        lifetimeMs: 1000,
        allowsGuests: false,
        sharedSecret: configured.turn,
      },
      appServices: [appService],
    } as never,
  });
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const kept = async (): Promise<InspectedRequest[]> =>
  (await admin().get(`${path}/requests?limit=1000`)).body.requests;

beforeEach(async () => {
  await admin().put(path, { on: true });
  await admin().delete(`${path}/requests`);
});

test.each<[boolean, string[], boolean]>([
  [true, ['127.0.0.1', '::1'], false],
  [true, ['localhost'], false],
  [false, ['127.0.0.1', '0.0.0.0'], false],
  [false, ['::'], false],
  [false, ['192.168.1.4'], false],
  [false, ['127.0.0.1'], true],
])(
  'kept from the start for a tester: %s, at %j, a proxy in front: %s',
  (expected, bindAddresses, trustsProxy) => {
    const settings = { port: '', bindAddresses: '' };
    const listener = { bindAddresses, port: 0, trustsProxy, tls: undefined, settings };
    expect(listensHereOnly([listener])).toBe(expected);
  },
);

test('is off until enabled and records nothing while off', async () => {
  await admin().put(path, { on: false });
  await admin().get('/_chat/client/v3/account/whoami');
  expect((await admin().get(path)).body).toEqual({ on: false, kept: 0 });
});

test('shows a request with its reply, user and statements', async () => {
  const room = await homeserver.as('alice').post('/_matrix/client/v3/createRoom?x=1', { name: 'Seen' });
  await expect.poll(kept).toHaveLength(1);
  expect(await kept()).toMatchObject([
    {
      method: 'POST',
      path: '/_matrix/client/v3/createRoom?x=1',
      user_id: '@alice:localhost',
      request: { body: '{"name":"Seen"}', size: 15, cut: false },
      reply: { status: 200, body: JSON.stringify({ room_id: room.body.room_id }) },
      database: { statements: expect.any(Number) },
    },
  ]);
  const [{ database, ms, reply }] = (await kept()) as [InspectedRequest];
  expect(database.statements).toBeGreaterThan(5);
  expect(ms).toBeGreaterThan(0);
  expect(Object.fromEntries(reply.headers)['content-type']).toContain('application/json');
});

test('counts the bytes of a reply, not its characters', async () => {
  const room = await homeserver.as('alice').post('/_matrix/client/v3/createRoom', { name: 'Größe' });
  const state = `/_matrix/client/v3/rooms/${room.body.room_id}/state/m.room.name`;
  await homeserver.as('alice').get(state);
  await expect.poll(kept).toHaveLength(2);
  expect((await kept()).at(-1)?.reply).toMatchObject({ body: '{"name":"Größe"}', size: 18 });
});

test("is paginated and doesn't contain its own requests", async () => {
  for (let number = 0; number < 3; number++)
    await homeserver.as('guest').get(`/_chat/client/versions?n=${number}`);
  await expect.poll(kept).toHaveLength(3);
  const first = await admin().get(`${path}/requests?limit=2`);
  expect(first.body.requests.map(({ path: asked }: InspectedRequest) => asked)).toEqual([
    expect.stringContaining('n=0'),
    expect.stringContaining('n=1'),
  ]);
  const rest = await admin().get(`${path}/requests?after=${first.body.next}`);
  expect(rest.body.requests).toHaveLength(1);
});

test('a stream continues after the last seen entry', async () => {
  await homeserver.as('guest').get('/_chat/client/versions?n=kept');
  await expect.poll(kept).toHaveLength(1);
  const leaving = new AbortController();
  const authorization = `Bearer ${admin().accessToken}`;
  const stream = await fetch(`${homeserver.url}${path}/stream`, {
    headers: { authorization },
    signal: leaving.signal,
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  await homeserver.as('guest').get('/_chat/client/versions?n=live');
  let seen = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    seen += decoder.decode(chunk, { stream: true });
    if (seen.includes('n=live')) break;
  }
  leaving.abort();
  expect(seen).toContain('n=kept');
  const [, id] = /id: (\d+)\ndata: [^\n]*n=kept/.exec(seen) ?? [];

  const again = new AbortController();
  const resumed = await fetch(`${homeserver.url}${path}/stream`, {
    headers: { authorization, 'last-event-id': id ?? '' },
    signal: again.signal,
  });
  let rest = '';
  for await (const chunk of resumed.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.includes('n=live')) break;
  }
  again.abort();
  expect(rest).not.toContain('n=kept');

  // A client with a larger event ID from before a restart still receives new requests.
  const later = new AbortController();
  const anew = await fetch(`${homeserver.url}${path}/stream`, {
    headers: { authorization, 'last-event-id': '1000000' },
    signal: later.signal,
  });
  await homeserver.as('guest').get('/_chat/client/versions?n=anew');
  let news = '';
  for await (const chunk of anew.body ?? []) {
    news += decoder.decode(chunk, { stream: true });
    if (news.includes('n=anew')) break;
  }
  later.abort();
  expect(news).not.toContain('n=live');
});

test("its own requests aren't recorded, with any form of the path", async () => {
  const { host } = new URL(homeserver.url);
  for (const address of ['/%5Fgatehouse/v1/jwt', `${homeserver.url}/_gatehouse/v1/jwt`]) {
    const connection = await connectTo(homeserver.url);
    const headers = `Host: ${host}\r\nAuthorization: Bearer ${admin().accessToken}\r\nConnection: close`;
    await connection.write(`GET ${address} HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(parseReply(await connection.closed).status).toBe(200);
  }
  await homeserver.as('guest').get('/_chat/client/versions?after');
  await expect.poll(async () => (await kept()).at(-1)?.path).toBe('/_chat/client/versions?after');
  expect(await kept()).toHaveLength(1);
});

test("a console's own requests displace no others", async () => {
  const asConsole = (path: string) =>
    fetch(`${homeserver.url}${path}`, {
      headers: {
        authorization: `Bearer ${admin().accessToken}`,
        'user-agent': 'Browser/1',
        'sec-fetch-site': 'same-origin',
      },
    });
  await asConsole(path);
  await homeserver.as('alice').get('/_chat/client/v3/account/whoami?n=looked-for');
  for (let round = 0; round < 50; round++) {
    await Promise.all(
      Array.from({ length: 21 }, (_, n) =>
        asConsole(`/_chat/client/v3/account/whoami?round=${round}&n=${n}`),
      ),
    );
  }
  await expect.poll(async () => (await admin().get(path)).body.kept).toBe(1_001);
  expect((await kept())[0]?.path).toContain('n=looked-for');
});

test('a stream starts with all recorded entries, even if there are many', async () => {
  const guest = homeserver.as('guest');
  for (let number = 0; number < 400; number++) {
    await guest.post(`/_chat/client/versions?n=${number}`, { x: 'y '.repeat(8000) });
  }
  await expect.poll(async () => (await admin().get(path)).body.kept).toBe(400);
  const stream = await fetch(`${homeserver.url}${path}/stream`, {
    headers: { authorization: `Bearer ${admin().accessToken}` },
  });
  let begun = 0;
  let rest = '';
  for await (const chunk of stream.body ?? []) {
    const text = rest + new TextDecoder().decode(chunk);
    begun += text.split('event: request').length - 1;
    rest = text.slice(-13);
    if (begun === 400) break;
  }
  expect(begun).toBe(400);
});

async function sendByteByByte(body: string): Promise<string> {
  const connection = await connectTo(homeserver.url);
  const pieces = [...Buffer.from(body)].map((byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
  );
  const head = [
    'POST /_chat/client/versions HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ].join('\r\n');
  connection.socket.write(
    Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...pieces, Buffer.from('0\r\n\r\n')]),
  );
  return connection.closed;
}

test("a body sent byte by byte is shown, and its chunks aren't kept one by one", async () => {
  const body = JSON.stringify({ about: 'ö'.repeat(1_000) });
  const before = queryObjects(Buffer, { format: 'count' });
  for (let number = 0; number < 5; number++) await sendByteByByte(body);
  await expect.poll(async () => (await admin().get(path)).body.kept).toBe(5);
  expect(queryObjects(Buffer, { format: 'count' }) - before).toBeLessThan(5_000);
  for (const { request } of await kept()) expect(request).toMatchObject({ body, size: 2_012, cut: false });
});

const login = '/_matrix/client/v3/login';
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each<[string, string, string, string]>([
  ['nested more deeply than anyone can follow', nested(8000), login, '(48001 bytes of application/json)'],
  ['of maximum depth', nested(512), login, nested(512)],
  ['with a name that objects have of themselves', '{"__proto__":{"a":1}}', login, '{"__proto__":{"a":1}}'],
])('a body sent %s is shown, and the server continues', async (_, body, path, shown) => {
  await homeserver.as('guest').post(path, body);
  await expect.poll(async () => (await kept()).map(({ request }) => request.body)).toEqual([shown]);
});

test.each<[string, string]>([
  ['in an address that is encoded', `preview_url?url=${encodeURIComponent('https://user:hunter2@host/x')}`],
  [
    'in one that is encoded twice',
    `preview_url?url=${encodeURIComponent(encodeURIComponent('https://user:hunter2@host/x'))}`,
  ],
  ['in one with an invalid code', `preview_url?url=https%3A%2F%2Fuser%3Ahunter2%40host%2F%zz`],
  ['that a login gave', `preview_url?url=${encodeURIComponent('https://host/cb?code=hunter2')}`],
  ['after a semicolon', 'preview_url?url=x;ticket=hunter2'],
  ['of a list', 'preview_url?code[]=hunter2'],
  ['in an address in a path', `thumbnail/${encodeURIComponent('https://user:hunter2@host')}`],
])('a secret %s is redacted', async (_, asked) => {
  await homeserver.as('guest').get(`/_chat/media/v3/${asked}`);
  await expect.poll(kept).toHaveLength(1);
  expect(JSON.stringify(await kept())).not.toContain('hunter2');
  expect((await kept())[0]?.path).toContain('<redacted>');
});

test.each<[string, unknown, unknown]>([
  [
    'a sentence',
    'my password=hunter2, user: @token:localhost',
    'my password=<redacted>, user: @token:localhost',
  ],
  ['a header', 'Authorization: Bearer hunter2', 'Authorization: Bearer <redacted>'],
  ['another header', 'authorization: basic hunter2', 'authorization: basic <redacted>'],
  [
    'an address with a query',
    'see https://host/cb?access_token=hunter2&x=1 there',
    'see https://host/cb?access_token=<redacted>&x=1 there',
  ],
  [
    'a name behind another one',
    'note: password=hunter2; set-cookie: session=hunter2',
    'note: password=<redacted>; set-cookie: <redacted>',
  ],
  [
    'an address with a code',
    'see https://host/cb?code=hunter2&state=1, https://host/cb?x=1&ticket=hunter2',
    'see https://host/cb?code=<redacted>&state=1, https://host/cb?x=1&ticket=<redacted>',
  ],
  [
    'a value of more than one word',
    'dbname=x password=\'my hunter2\' host=y, secret: "my hunter2"',
    'dbname=x password=\'<redacted>\' host=y, secret: "<redacted>"',
  ],
  ['a password with an @', 'postgres://user:p@hunter2@host/x@y', 'postgres://<redacted>@host/x@y'],
  ['JSON', '{"password":["hunter2"],"a":1}', '{"password":"<redacted>","a":1}'],
  ['JSON without any', '{ "a": "basic" }', '{ "a": "basic" }'],
])('strings are searched for secrets: %s', async (_, about, shown) => {
  await homeserver.as('guest').post('/_chat/client/versions', { about });
  await expect.poll(kept).toHaveLength(1);
  expect(JSON.parse((await kept())[0]?.request.body ?? '')).toEqual({ about: shown });
});

test("fields and headers with secret names are redacted, and others aren't", async () => {
  await fetch(`${homeserver.url}/_chat/client/versions`, {
    method: 'POST',
    headers: { 'x-auth': 'hunter2', 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ code: 'hunter2', pin_code: 1234, sid: 'hunter2', answer: 'hunter2', data: { auth: 'hunter2' } },
      ...{ auth: { type: 'm.login.dummy', session: 'hunter2' }, errcode: 'M_X', answers: ['yes'] },
      ...{ error_code: 'E1', country_code: 'DE', stateKey: 'x', 'm.change_password': { enabled: true } },
      ...{
        conditions: [{ kind: 'event_match', key: 'content.body' }],
        keys: [{ kind: 'x', key: 'hunter2' }],
      },
    }),
  });
  await expect.poll(kept).toHaveLength(1);
  const [{ request }] = (await kept()) as [InspectedRequest];
  expect(Object.fromEntries(request.headers)['x-auth']).toBe('<redacted>');
  const gone = '<redacted>';
  expect(JSON.parse(request.body ?? '')).toEqual({
    ...{ code: gone, pin_code: gone, sid: gone, answer: gone, data: { auth: gone } },
    ...{ auth: { type: 'm.login.dummy', session: gone }, errcode: 'M_X', answers: ['yes'] },
    ...{ error_code: 'E1', country_code: 'DE', stateKey: 'x', 'm.change_password': { enabled: true } },
    ...{ conditions: [{ kind: 'event_match', key: 'content.body' }], keys: gone },
  });
});

const secretHeaders = [
  ...['authorization', 'proxy-authorization', 'cookie', 'x-forwarded-access-token', 'x-auth-request-user'],
  ...['x-api-key', 'x-session', 'x-session-id', 'cf-access-jwt-assertion', 'x-amz-security-token'],
  ...['x-mfa-code', 'dpop', 'x-bearer'],
  ...['x-password', 'x-client-secret', 'x-hub-signature-256', 'x-goog-iap-jwt-assertion', 'apikey', 'sid'],
];
const secretFields = [
  ...['pass', 'smtp_pass', 'pwd', 'recaptcha_response', 'assertion', 'macaroon', 'mnemonic', 'bearer'],
  ...['password', 'new_password', 'access_token', 'refresh_token', 'login_token', 'token', 'id_token', 'jwt'],
  ...[
    'secret',
    'client_secret',
    'shared_secret',
    'nonce',
    'mac',
    'hmac',
    'session',
    'sid',
    'code',
    'pin',
    'otp',
  ],
  ...[
    'answer',
    'response',
    'auth',
    'recovery_key',
    'recovery_code',
    'security_code',
    'passphrase',
    'private_key',
  ],
  ...[
    'ciphertext',
    'session_key',
    'pushkey',
    'api_key',
    'credentials',
    'authorization',
    'cookie',
    'device_code',
  ],
  ...['ticket', 'seed', 'seed_phrase', 'dsn', 'psk', 'totp', 'passcode', 'signature', 'SAMLResponse'],
  ...['login_code', 'sms_code', 'backup_codes', 'code_verifier', 'sessionKey', 'g-recaptcha-response'],
  ...['user[cookie]', 'answers[0][pin]'],
];

test.each([
  ...secretHeaders.map((name) => ['a header', name]),
  ...secretFields.flatMap((name) => [
    ['a field', name],
    ['a parameter', name],
  ]),
  ...['a stage of authentication', 'a bare text', 'a bare number'].map((place) => [place, '']),
])("a secret isn't recorded: %s %s", async (place, name = '') => {
  const secret = String(Math.floor(Math.random() * 1e15) + 1e15);
  const body =
    place === 'a field'
      ? { outer: [{ [name]: secret }] }
      : place === 'a stage of authentication'
        ? { auth: { type: 'm.login.recaptcha', response: secret, session: 's' } }
        : place === 'a bare text'
          ? secret
          : place === 'a bare number'
            ? Number(secret)
            : {};
  const query = place === 'a parameter' ? `?a=1&${name}=${secret}` : '';
  const header = place === 'a header' ? { [name]: `${name}=${secret}` } : {};
  await fetch(`${homeserver.url}/_chat/client/versions${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header },
    body: JSON.stringify(body),
  });
  await expect.poll(kept).toHaveLength(1);
  const [shown] = await kept();
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(shown?.path).toContain('/_chat/client/versions');
  expect(shown?.request.size).toBe(JSON.stringify(body).length);
});

test.each<[string, string, string]>([
  ['beginnings of names', 'token '.repeat(8_000) + 'a'.repeat(15_000), '/_chat/client/versions'],
  ['beginnings of values', `token=${' '.repeat(60_000)}`, '/_chat/client/versions'],
  ['repeatedly encoded text', '', `/x?a=%${'25'.repeat(6_000)}`],
  ['beginnings of tokens', '-eyJ'.repeat(15_000), '/_chat/client/versions'],
  ['beginnings of addresses', 'a.'.repeat(30_000), '/_chat/client/versions'],
  ['a path of many parts', '', `/x${'/'.repeat(15_000)}token=1`],
  ['a list of lists', '', `/x?${'[]'.repeat(7_000)}x=1`],
  ['a value between quotes', `token="a${'\\'.repeat(30_000)}`, '/_chat/client/versions'],
])("searching %s for secrets doesn't block", async (_, text, path) => {
  const longest = await longestTurn(async () => {
    await homeserver.as('guest').post(path, { text });
    await expect.poll(kept).toHaveLength(1);
  });
  expect(longest).toBeLessThan(mostTurn);
});

test('a token within other text is redacted', async () => {
  const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
  await homeserver.as('guest').post('/_chat/client/versions', { about: `a.b-${token}, of ${token}.` });
  await expect.poll(kept).toHaveLength(1);
  expect((await kept())[0]?.request.body).toBe('{"about":"a.b-<redacted>, of <redacted>."}');
});

test('no secret of any kind is in the records', async () => {
  const guest = homeserver.as('guest');
  const alice = homeserver.as('alice');
  const secrets: Record<string, string> = { ...configured };
  const know = (name: string, secret: unknown) => {
    expect(secret, name).toEqual(expect.any(String));
    secrets[name] = String(secret);
  };

  // All ways to log in.
  know('password', 'a password with spaces & "quotes"');
  know('access token', alice.accessToken);
  await admin().put('/_service/admin/v2/users/@dora:localhost', { password: secrets.password });
  const { body: session } = await guest.post('/_chat/client/v3/login', {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'dora' },
    password: secrets.password,
    refresh_token: true,
  });
  know('new access token', session.access_token);
  know('refresh token', session.refresh_token);
  const { body: refreshed } = await guest.post('/_chat/client/v3/refresh', {
    refresh_token: session.refresh_token,
  });
  know('refreshed access token', refreshed.access_token);
  const { body: minted } = await admin().post('/_gatehouse/v1/jwt/mint', { claims: { sub: 'erin' } });
  know('JWT', minted.token);
  await guest.post('/_chat/client/v3/login', { type: 'org.vendor.login.jwt', token: minted.token });
  await guest.post('/_chat/client/v3/login', { type: 'org.vendor.login.jwt', token: `${minted.token}x` });
  const { body: link } = await admin().post('/_gatehouse/v1/sign-in-link', { user: 'dora' });
  know('login token', link.login_token);
  await guest.post('/_chat/client/v3/login', { type: 'm.login.token', token: link.login_token });
  const { body: borrowed } = await admin().post('/_service/admin/v1/users/@dora:localhost/login', {});
  know('borrowed token', borrowed.access_token);

  // Registration.
  const { body: nonce } = await guest.get('/_service/admin/v1/register');
  know('nonce', nonce.nonce);
  const mac = createHmac('sha1', configured.registration)
    .update([`${nonce.nonce}`, 'frank', 'franks password', 'notadmin'].join('\0'))
    .digest('hex');
  know('mac', mac);
  know('registered password', 'franks password');
  const registered = {
    nonce: nonce.nonce,
    username: 'frank',
    password: 'franks password',
    mac,
    admin: false,
  };
  await guest.post('/_service/admin/v1/register', registered);
  const { body: invitation } = await admin().post('/_service/admin/v1/registration_tokens/new', {});
  know('registration token', invitation.token);
  await admin().get(`/_service/admin/v1/registration_tokens/${invitation.token}`);
  await admin().get('/_service/admin/v1/registration_tokens');
  await guest.get(`/_chat/client/v1/register/m.login.registration_token/validity?token=${invitation.token}`);
  const { body: stages } = await guest.post('/_chat/client/v3/register', {
    username: 'gina',
    password: 'gina-pw-123',
  });
  know('session of a registration', stages.session);
  know('password of a registration', 'gina-pw-123');

  // Authenticated requests.
  await fetch(`${homeserver.url}/_chat/client/v3/account/whoami?access_token=${alice.accessToken}`);
  await fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${appService.token}`, cookie: 'session=of-a-browser' },
  });
  know('token of the application service', appService.token);
  know('token for the application service', appService.hsToken);
  know('cookie', 'of-a-browser');
  const { body: openId } = await alice.post(
    '/_chat/client/v3/user/@alice:localhost/openid/request_token',
    {},
  );
  know('OpenID token', openId.access_token);
  const { body: turn } = await alice.get('/_chat/client/v3/voip/turnServer');
  know('TURN password', turn.password);
  know('push key', 'push-key-of-a-phone');
  await alice.post('/_chat/client/v3/pushers/set', {
    kind: 'http',
    app_id: 'app',
    pushkey: secrets['push key'],
    app_display_name: 'a',
    device_display_name: 'b',
    lang: 'en',
    data: { url: 'https://user:password-in-address@push.example/_matrix/push/v1/notify' },
  });
  know('password in an address', 'password-in-address');

  // Encryption keys.
  know('secret that devices share', 'cross-signing-seed-of-alice');
  await alice.put('/_chat/client/v3/sendToDevice/m.secret.send/1', {
    messages: {
      '@alice:localhost': { '*': { request_id: '1', secret: secrets['secret that devices share'] } },
    },
  });
  know('key of a room', 'AgAAAADroomkeyofalice');
  await alice.put('/_chat/client/v3/sendToDevice/m.room_key/2', {
    messages: { '@alice:localhost': { '*': { session_id: '1', session_key: secrets['key of a room'] } } },
  });
  know('secret storage', 'ciphertext-of-the-secret-storage');
  await alice.put('/_chat/client/v3/user/@alice:localhost/account_data/m.cross_signing.master', {
    encrypted: { key: { iv: 'a', ciphertext: secrets['secret storage'], mac: 'mac-of-secret-storage' } },
  });
  know('mac of secret storage', 'mac-of-secret-storage');
  const { body: backup } = await alice.post('/_chat/client/v3/room_keys/version', {
    algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2',
    auth_data: { public_key: 'public-key-of-backup', signatures: {} },
  });
  know('backed up session', 'ciphertext-of-a-session');
  await alice.put(`/_chat/client/v3/room_keys/keys/!r:localhost/s1?version=${backup.version}`, {
    first_message_index: 0,
    forwarded_count: 0,
    is_verified: true,
    session_data: { ciphertext: secrets['backed up session'], mac: 'x', ephemeral: 'y' },
  });

  // Non-JSON content, and unknown fields and parameters.
  know('content of an upload', 'bytes-of-a-picture');
  await fetch(`${homeserver.url}/_chat/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.accessToken}`, 'content-type': 'image/png' },
    body: secrets['content of an upload'],
  });
  know('password in what is no JSON', 'broken json password');
  await guest.post('/_chat/client/v3/login', `{"password": "${secrets['password in what is no JSON']}",`);
  know('future token', 'nobody-knows-this-yet');
  await guest.post('/_chat/client/v3/login', {
    type: 'x',
    new_kind_of_token: { inner: secrets['future token'] },
  });
  await guest.get(`/_chat/client/v3/nothing?new_secret=${secrets['future token']}`);
  know('private key', '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----');
  await alice.post('/_chat/client/v3/createRoom', {
    topic: secrets['private key'],
    name: `I use ${configured.jwt}`,
  });

  await expect.poll(async () => (await kept()).at(-1)?.path).toBe('/_chat/client/v3/createRoom');
  const shown = await kept();
  const text = JSON.stringify(shown);
  for (const [name, secret] of Object.entries(secrets)) {
    const written = JSON.stringify(secret).slice(1, -1);
    expect(
      shown.filter((each) => JSON.stringify(each).includes(written)).map(({ path: at }) => at),
      name,
    ).toEqual([]);
    expect(text.includes(encodeURIComponent(secret)), name).toBe(false);
  }
  // All the requests were recorded.
  expect(shown.length).toBeGreaterThan(25);
});

/** Server certificates and the user's client certificates. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { certificateEnd } from '../../electron/connections/certificate.ts';
import { createCertificates, isIssuedBy } from '../../electron/connections/certificates.ts';
import { until } from '../until.ts';
import { startApp } from './app.ts';
import { shellAlone } from './build.ts';
import { RemoteHomeserver } from './remote-homeserver.ts';

const file = (name: string) => readFile(new URL(`../server/http/tls/${name}`, import.meta.url));
const [cert, key] = await Promise.all([file('localhost.crt'), file('localhost.key')]);
const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  running.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the expiry of a certificate is read for any issuer, without a request to the server', async () => {
  let requests = 0;
  const port = await portOf(createServer({ cert, key }, () => requests++));
  const end = new X509Certificate(cert).validToDate.getTime();
  expect(await certificateEnd(`https://localhost:${port}`)).toBe(end);
  expect(await certificateEnd(`https://127.0.0.1:${port}/under`)).toBe(end);
  expect(requests).toBe(0);
});

test('the expiry is unknown without TLS or a proper response', async () => {
  expect(await certificateEnd('http://127.0.0.1:1')).toBeUndefined();
  expect(await certificateEnd('https://127.0.0.1:1')).toBeUndefined();
  const port = await portOf(createPlainServer((socket) => socket.end('220 mail.example\r\n')));
  expect(await certificateEnd(`https://127.0.0.1:${port}`)).toBeUndefined();
});

const tls = (name: string) => new URL(`tls/${name}`, import.meta.url);
const [ca, otherCa, intermediate, server, serverKey, client, signedByServer] = await Promise.all(
  [
    ...['ca.crt', 'other-ca.crt', 'intermediate.crt', 'server.crt', 'server.key'],
    ...['client.crt', 'signed-by-server.crt'],
  ].map((name) => readFile(tls(name), 'utf8')),
);
const read = (...pems: (string | undefined)[]) => pems.map((pem) => new X509Certificate(pem ?? ''));

test.each([
  ['through an intermediate one', ca, [server, intermediate], 'localhost', true],
  ['by its IP address', ca, [server, intermediate], '127.0.0.1', true],
  ['where the authority is the intermediate one', intermediate, [server], 'localhost', true],
  ['whose certificate itself was chosen', server, [server], 'localhost', true],
  ['of another authority of the same name', otherCa, [server, intermediate], 'localhost', false],
  ['of another host', ca, [server, intermediate], 'example.org', false],
  ['without the intermediate one', ca, [server], 'localhost', false],
  ['of a client', ca, [client, intermediate], 'localhost', false],
  ['that a server signed', ca, [signedByServer, server, intermediate], 'localhost', false],
  ['that is missing', ca, [], 'localhost', false],
])('a certificate %s', (_case, authority, chain, host, isTrusted) => {
  expect(isIssuedBy(read(authority), read(...chain), host, new Date())).toBe(isTrusted);
});

test("an expired certificate or authority isn't trusted", () => {
  const isTrusted = (year: number) =>
    isIssuedBy(read(ca), read(server, intermediate), 'localhost', new Date(year, 0));
  expect([isTrusted(2100), isTrusted(2000), isTrusted(2400)]).toEqual([true, false, false]);
});

test('a client certificate is requested once per host, remembered, and forgotten with it', async () => {
  let content = {
    authorities: { 'a.example': 'PEM', 'b.example': 'PEM' },
    clients: {} as Record<string, string>,
  };
  const kept = {
    read: () => content,
    write(changed: typeof content) {
      content = changed;
    },
  };
  const list = ['one', 'two'].map((fingerprint) => ({ fingerprint }) as Electron.Certificate);
  const asked: string[] = [];
  const certificates = createCertificates(kept, async (host) => {
    asked.push(host);
    return host === 'a.example' ? list[1] : undefined;
  });
  const both = ['a', 'b'].map((name) => certificates.client(`https://${name}.example/x`, list));
  expect(await Promise.all([...both, certificates.client('https://a.example/y', list)])).toEqual([
    list[1],
    undefined,
    list[1],
  ]);
  expect(await certificates.client('https://b.example/', list)).toBeUndefined();
  expect(await certificates.client('https://c.example/', [])).toBeUndefined();
  expect(asked).toEqual(['a.example', 'b.example']);
  const [, two] = list;
  expect(await createCertificates(kept, () => Promise.reject()).client('https://a.example/', list)).toBe(two);
  certificates.keepFor(['https://b.example']);
  expect(content).toEqual({ authorities: { 'b.example': 'PEM' }, clients: {} });
});

test('a certificate authority is trusted for its host until that is removed', async () => {
  const remote = await RemoteHomeserver.start({ cert: `${server}${intermediate}`, key: serverKey });
  const app = await startApp({ dist: shellAlone });
  const authority = (address: string, change?: 'choose' | 'remove') =>
    app.invoke('connections:authority', { address, ...(change && { change }) });
  const connect = () =>
    app.invoke('connections:add', {
      address: remote.url,
      credentials: { type: 'password', user: 'admin', password: remote.password },
    });
  try {
    const refused = connect();
    await (await app.nextDialog()).answer('Connect');
    expect(await refused).toMatchObject({
      failure: { code: 'unreachable', message: expect.stringContaining('Advanced') },
    });
    await app.command('willOpen', { path: fileURLToPath(tls('ca.crt')) });
    expect(await authority('localhost', 'choose')).toEqual({ ok: true, value: { isChosen: true } });
    expect(await connect()).toMatchObject({ ok: false });
    await app.command('willOpen', { path: fileURLToPath(tls('server.key')) });
    expect(await authority(remote.url, 'choose')).toMatchObject({ failure: { code: 'refused' } });
    await app.command('willOpen', { path: fileURLToPath(tls('ca.crt')) });
    await authority(remote.url, 'choose');
    const connected = await connect();
    if (!connected.ok) throw new Error(connected.failure.message);
    expect(remote.received.length).toBeGreaterThan(0);
    await app.invoke('connections:remove', { connectionId: connected.value.id });
    expect(await authority(remote.url)).toEqual({ ok: true, value: { isChosen: false } });
    expect(await connect()).toMatchObject({ ok: false });
  } finally {
    await app.dispose();
    await remote.close();
  }
});

test('the certificate authority of a homeserver also applies to requests to its authentication service', async () => {
  const secure = { cert: `${server}${intermediate}`, key: serverKey };
  const auth = createServer(secure, (_, response) => response.end('{"client_id":"gatehouse"}'));
  const authUrl = `https://localhost:${await portOf(auth)}`;
  const homeserver = createServer(secure, ({ url = '' }, response) => {
    const metadata = {
      issuer: authUrl,
      authorization_endpoint: `${authUrl}/authorize`,
      token_endpoint: `${authUrl}/oauth2/token`,
      registration_endpoint: `${authUrl}/oauth2/registration`,
    };
    if (url.endsWith('/auth_metadata')) response.end(JSON.stringify(metadata));
    else if (url.startsWith('/_matrix/client/versions')) response.end('{"versions":["v1.16"]}');
    else response.writeHead(404).end();
  });
  const address = `https://127.0.0.1:${await portOf(homeserver)}`;
  const app = await startApp({ dist: shellAlone });
  try {
    await app.command('willOpen', { path: fileURLToPath(tls('ca.crt')) });
    await app.invoke('connections:authority', { address, change: 'choose' });
    const adding = app.invoke('connections:add', { address, credentials: { type: 'browser' } });
    for (const host of [address, authUrl]) {
      const { options, answer } = await app.nextDialog();
      expect(options.message).toContain(new URL(host).host);
      await answer('Connect');
    }
    await until(async () => {
      expect(await app.command('openedExternally')).toEqual([
        expect.stringContaining(`${authUrl}/authorize?`),
      ]);
    });
    await app.invoke('connections:cancel', undefined);
    await adding;
    expect(await app.invoke('connections:methods', { address: authUrl })).toMatchObject({
      failure: { code: 'unreachable', message: expect.stringContaining("doesn't trust the certificate") },
    });
  } finally {
    await app.dispose();
  }
});

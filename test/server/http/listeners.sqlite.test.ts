import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHomeserver } from '../../../server/app/homeserver.ts';
import type { Listener } from '../../../server/platform/config/listeners.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { gatehouse, serve } from '../gatehouse.ts';
import { call, localListener, startHomeserver, unlimited } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';

const tlsFile = (name: string) => fileURLToPath(new URL(`./tls/${name}`, import.meta.url));

const withListeners = (...listeners: Partial<Listener>[]) =>
  startHomeserver({ config: { listeners: listeners.map((one) => ({ ...localListener, ...one })) } });

test('every listener and every bind address responds', async () => {
  const homeserver = await withListeners({ bindAddresses: ['127.0.0.1', '127.0.0.2'] }, {});
  const { urls } = homeserver;
  expect(urls.map((url) => new URL(url).hostname)).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.1']);
  const ports = urls.map((url) => new URL(url).port);
  expect(ports[0]).toBe(ports[1]);
  expect(ports[0]).not.toBe(ports[2]);
  for (const url of urls) expect((await call(url, 'GET', '/health')).status).toBe(200);
  await homeserver.remove();
});

test('a listener serves only its resources', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-resources-'));
  const named = [['client', 'federation'], ['metrics'], ['federation']];
  const listeners = named.map((names) => ({
    type: 'http',
    port: 0,
    resources: [{ names, compress: false }],
  }));
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify({ listeners }));
  const homeserver = await createHomeserver(await loadConfig({ dataDir, file }));
  await homeserver.start();
  expect(homeserver.urls).toHaveLength(1);
  expect((await call(homeserver.url, 'GET', '/_matrix/client/versions')).status).toBe(200);
  const { metricsUrl = '' } = homeserver;
  expect((await fetch(metricsUrl)).status).toBe(200);
  expect((await fetch(new URL('/_matrix/client/versions', metricsUrl))).status).toBe(404);
  await homeserver.stop();
  await rm(dataDir, { recursive: true });
});

test.each([
  ['::', ['::']],
  ['both families', ['::', '0.0.0.0']],
  ['both families, the other way', ['0.0.0.0', '::']],
])('%s means every address of the machine', async (_, bindAddresses) => {
  const homeserver = await withListeners({ bindAddresses });
  const { port } = new URL(homeserver.url);
  for (const host of ['127.0.0.1', '[::1]']) {
    expect((await call(`http://${host}:${port}`, 'GET', '/health')).status).toBe(200);
  }
  await homeserver.remove();
});

test('the client address comes from the proxy on listeners with x_forwarded', async () => {
  const homeserver = await startHomeserver({
    config: {
      listeners: [localListener, { ...localListener, trustsProxy: true }],
      rateLimits: { ...unlimited, registration: { perSecond: 0.001, burstCount: 1 } },
    },
  });
  const [direct = '', proxied = ''] = homeserver.urls;
  const ask = async (url: string, forwarded: string) => {
    const path = '/_matrix/client/v1/register/m.login.registration_token/validity?token=x';
    return (await fetch(url + path, { headers: { 'x-forwarded-for': forwarded } })).status;
  };
  expect(await ask(proxied, '203.0.113.1')).toBe(200);
  expect(await ask(proxied, '203.0.113.2')).toBe(200);
  expect(await ask(direct, '203.0.113.3')).toBe(200);
  expect(await ask(direct, '203.0.113.4')).toBe(429);
  await homeserver.remove();
});

describe('TLS', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  async function configured(settings: object): Promise<string[]> {
    const file = join(dataDir, 'homeserver.yaml');
    const listeners = [{ type: 'http', port: 0, tls: true }];
    await writeFile(file, JSON.stringify({ listeners, ...settings }));
    return ['--config', file, '--data-dir', dataDir];
  }

  test("is used where configured, and plain HTTP isn't", async () => {
    const server = await serve(
      ...(await configured({
        tls_certificate_path: tlsFile('localhost.crt'),
        tls_private_key_path: tlsFile('localhost.key'),
      })),
    );
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await getTls(`${server.url}/health`)).toEqual({ status: 200, body: 'OK' });

    const plain = await connectTo(server.url);
    await plain.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await plain.closed).not.toContain('OK');
    const silent = await connectTo(server.url);
    expect(await server.end('SIGTERM')).toBe(0);
    await silent.closed;
  });

  test.each<[string, object, RegExp]>([
    ['there is no certificate', {}, /^gatehouse: tls_certificate_path: missing, but listeners\[0\]\.tls/],
    [
      'there is no key',
      { tls_certificate_path: tlsFile('localhost.crt') },
      /^gatehouse: tls_private_key_path: missing/,
    ],
    [
      'the certificate is not where it should be',
      { tls_certificate_path: 'nowhere.crt', tls_private_key_path: tlsFile('localhost.key') },
      /^gatehouse: tls_certificate_path: can't read .*nowhere\.crt \(ENOENT\)/,
    ],
    [
      'the key belongs to another certificate',
      { tls_certificate_path: tlsFile('localhost.crt'), tls_private_key_path: tlsFile('other.key') },
      /^gatehouse: tls_private_key_path: .*check that they match/,
    ],
  ])('is refused if %s', async (_, settings, message) => {
    const { code, output, errors } = await gatehouse('serve', ...(await configured(settings)));
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(message);
    expect(errors).toMatch(/^[^\n]+\n$/);
  });
});

async function getTls(url: string): Promise<{ status: number | undefined; body: string }> {
  const ca = await readFile(tlsFile('localhost.crt'));
  return new Promise((resolve, reject) => {
    request(url, { ca, servername: 'localhost', agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk) => chunks.push(chunk));
      reply.on('end', () => resolve({ status: reply.statusCode, body: Buffer.concat(chunks).toString() }));
    })
      .on('error', reject)
      .end();
  });
}

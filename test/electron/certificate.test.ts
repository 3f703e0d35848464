import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { certificateEnd } from '../../electron/certificate.ts';

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

test('the end of a certificate is known, whoever vouches for it, and nothing is asked of the server', async () => {
  let requests = 0;
  const port = await portOf(createServer({ cert, key }, () => requests++));
  const end = new X509Certificate(cert).validToDate.getTime();
  expect(await certificateEnd(`https://localhost:${port}`)).toBe(end);
  expect(await certificateEnd(`https://127.0.0.1:${port}/under`)).toBe(end);
  expect(requests).toBe(0);
});

test('without encryption, or where nothing answers as it should, it is not known', async () => {
  expect(await certificateEnd('http://127.0.0.1:1')).toBeUndefined();
  expect(await certificateEnd('https://127.0.0.1:1')).toBeUndefined();
  const port = await portOf(createPlainServer((socket) => socket.end('220 mail.example\r\n')));
  expect(await certificateEnd(`https://127.0.0.1:${port}`)).toBeUndefined();
});

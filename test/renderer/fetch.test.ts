import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendFromPage } from '../../renderer/transport/fetch.ts';

const paths: string[] = [];
const server = createServer(({ url = '' }, response) => {
  paths.push(url);
  if (url === '/from') response.writeHead(302, { location: '/to' }).end();
  else response.end('{}');
});
let base = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test('a redirect is followed only without secrets', async () => {
  const request = { method: 'GET', url: `${base}/from` } as const;
  expect(await sendFromPage(request)).toEqual({ status: 200, body: {} });
  expect(paths.splice(0)).toEqual(['/from', '/to']);
  await expect(sendFromPage({ ...request, accessToken: 'secret' })).rejects.toThrow("Can't reach");
  const login = { method: 'POST', url: `${base}/from`, body: { password: 'secret' } } as const;
  await expect(sendFromPage(login)).rejects.toThrow("Can't reach");
  expect(paths).toEqual(['/from', '/from']);
});

/** Third-party networks that several application services bridge. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
const servers: Server[] = [];
const asked: string[] = [];

/** Starts a service that describes each of its networks with these instances; undefined for a failure. */
async function startService(id: string, protocols: string[], instances: unknown) {
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    asked.push(`${id} ${url.replace('/_matrix/app/v1/thirdparty/', '')}`);
    const reply = url.includes('/protocol/') ? { icon: id, instances } : [{ alias: `#${id}:x` }, 'odd', null];
    response.writeHead(instances === undefined ? 500 : 200).end(JSON.stringify(reply));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return serviceOf(id, protocols, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const serviceOf = (id: string, protocols: string[], url: string | undefined) => ({
  ...{ id, token: `as-${id}`, hsToken: `hs-${id}`, senderUserId: `@${id}:localhost`, url, protocols },
  ...{ rateLimited: false, receivesEphemeral: false, encrypts: false },
  ...{ userNamespaces: [], aliasNamespaces: [], roomNamespaces: [] },
});

beforeAll(async () => {
  const appServices = [
    await startService('one', ['gopher', 'irc'], [{ network_id: 'n' }, { desc: 'no ID' }]),
    await startService('two', ['gopher'], [{ network_id: 'n' }, 'odd']),
    await startService('odd', ['gopher'], 'no list'),
    await startService('failing', ['gopher', 'xmpp'], undefined),
    await startService('none', [], []),
    serviceOf('silent', ['gopher'], undefined),
  ];
  homeserver = await startHomeserver({ config: { appServices } });
});
afterAll(async () => {
  await homeserver.remove();
  for (const server of servers) server.close();
});

const get = async (...parts: string[]) => {
  asked.length = 0;
  const { status, body } = await homeserver.as('alice').get(path('thirdparty', ...parts));
  return { status, body };
};

const gopher = {
  icon: 'one',
  instances: [
    { network_id: 'n', instance_id: 'one|n' },
    { desc: 'no ID' },
    { network_id: 'n', instance_id: 'two|n' },
  ],
};
const irc = { icon: 'one', instances: gopher.instances.slice(0, 2) };

test('a network is described by the first service that responds, with the instances of all', async () => {
  expect(await get('protocols')).toEqual({ status: 200, body: { gopher, irc } });
  expect(await get('protocol', 'gopher')).toEqual({ status: 200, body: gopher });
});

test('only services of a network are asked for it', async () => {
  expect(await get('protocol', 'irc')).toEqual({ status: 200, body: irc });
  expect(asked).toEqual(['one protocol/irc']);
  expect(await get('protocol', 'xmpp')).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect(asked).toEqual(['failing protocol/xmpp']);
});

const found = (...ids: string[]) => ({ status: 200, body: ids.map((id) => ({ alias: `#${id}:x` })) });

test.each(['location', 'user'])('a %s is looked up at all services with networks', async (kind) => {
  expect(await get(kind, 'irc')).toEqual(found('one'));
  expect(await get(kind, 'gopher')).toEqual(found('one', 'two', 'odd'));
  expect(await get(kind, 'xmpp')).toEqual(found());
  expect(await get(kind)).toEqual(found('one', 'two', 'odd'));
  expect(asked).toEqual(['one', 'two', 'odd', 'failing'].map((id) => `${id} ${kind}`));
});

test("a lookup has the client's parameters, but not its token", async () => {
  asked.length = 0;
  const { accessToken = '' } = homeserver.as('alice');
  const query = new URLSearchParams({ nick: 'a b', access_token: accessToken });
  await homeserver.as('guest').get(`${path('thirdparty', 'user', 'irc')}?${query}`);
  expect(asked).toEqual(['one user/irc?nick=a+b']);
});

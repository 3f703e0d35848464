/** An application service built with matrix.org's bridge library. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppService, AppServiceRegistration } from 'matrix-appservice';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appServices } from '../../server/platform/config/app-services.ts';
import { freePort } from '../free-port.ts';
import { call, startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { makeRoom, path, say } from '../server/rooms/client.ts';

type Event = {
  type: string;
  content: { body?: string; membership?: string };
  state_key?: string;
  room_id: string;
};

const bot = '@_lib_bot:localhost';
let folder: string;
let homeserver: TestHomeserver;
let server: Server;
let port: number;
const told: Event[] = [];
const asked: string[] = [];

const registration = new AppServiceRegistration(null);
registration.setId('library');
registration.setHomeserverToken(AppServiceRegistration.generateToken());
registration.setAppServiceToken(AppServiceRegistration.generateToken());
registration.setSenderLocalpart('_lib_bridge');
registration.addRegexPattern('users', '@_lib_.*', true);

const service = new AppService({ homeserverToken: registration.getHomeserverToken() ?? '' });
const send = (method: string, at: string, body: object) =>
  call(homeserver.url, method, at, registration.getAppServiceToken() ?? '', body);

service.onUserQuery = async (userId) => {
  asked.push(userId);
  const body = { type: 'm.login.application_service', username: userId.slice(1).split(':')[0] };
  await send('POST', path('register'), body);
};
service.on('event', async (event) => {
  const { state_key: target, content, room_id: room } = event as Event;
  told.push(event as Event);
  if (target !== bot || content.membership !== 'invite') return;
  await send('POST', `${path('rooms', room, 'join')}?user_id=${encodeURIComponent(bot)}`, {});
});

const listen = (at: number) =>
  new Promise<void>((resolve) => {
    server = createServer(service.expressApp).listen(at, '127.0.0.1', resolve);
  });
const close = () =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

beforeAll(async () => {
  port = await freePort();
  await listen(port);
  registration.setAppServiceUrl(`http://127.0.0.1:${port}`);
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const file = join(folder, 'registration.yaml');
  registration.outputAsYaml(file);
  const settings = { app_service_config_files: [file], use_appservice_legacy_authorization: false };
  const place = { dataDir: folder, configDir: folder, serverName: 'localhost', warn() {} };
  homeserver = await startHomeserver({ config: await appServices.read(settings, place) });
});
afterAll(async () => {
  await homeserver.remove();
  await close();
  await rm(folder, { recursive: true });
});

test('a bridge creates its users on demand and receives everything in order across a restart', async () => {
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  const texts = () => told.flatMap(({ content }) => content.body ?? []);
  const members = async () =>
    Object.keys((await alice.get(path('rooms', room, 'joined_members'))).body.joined);
  await alice.post(path('rooms', room, 'invite'), { user_id: bot });
  await expect.poll(members).toContain(bot);
  expect(asked).toEqual([bot]);
  await say(alice, room, 'one');
  await expect.poll(texts).toEqual(['one']);

  await close();
  for (const text of ['two', 'three']) await say(alice, room, text);
  await homeserver.restart();
  await say(alice, room, 'four');
  await listen(port);
  await expect.poll(texts).toEqual(['one', 'two', 'three', 'four']);
});

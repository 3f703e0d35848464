/** Consoles of several admins, one browser each, on a real homeserver. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { isAdministrator } from '../../renderer/api/team-room.ts';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import { createTeamRoom, findRoom, joinTeamRoom } from '../../renderer/team/room-finder.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import type { Connection } from '../../shared/connection.ts';
import { adminLookup } from '../../shared/team/room-trust.ts';
import { call, type TestHomeserver } from '../server/homeserver.ts';
import { probedBefore } from './probed-before.ts';
import { startOnSamePort } from './reused-port.ts';
import { type SharedPage, sharedPage } from './shared-page.ts';

const client = '/_chat/client/v3';

const connectionAs = (homeserver: TestHomeserver, person: string): Connection => ({
  id: `${person}@team`,
  baseUrl: homeserver.url,
  dialect: 'vendor',
  userId: homeserver.as(person).userId,
  local: false,
});

function serverAs(homeserver: TestHomeserver, person: string) {
  const { accessToken } = homeserver.as(person);
  const request: ConsoleHost['request'] = (_, { method, path, body }) =>
    call(homeserver.url, method, path, accessToken, body, { translated: false });
  return connectedServers({ request } as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(
    connectionAs(homeserver, person),
  );
}

/** Sets up the tests of a file: `admin` and `bob` are admins, `alice` and `carol` aren't. */
export function teamUnderTest() {
  const shared = new Map<string, SharedPage>();
  const problems: string[] = [];

  const team = {
    homeserver: {} as TestHomeserver,
    problems,

    /** Opens an admin's console in its own browser profile. */
    async open(person: string, path = '/reports', before?: (page: Page) => Promise<unknown>): Promise<Page> {
      const { homeserver } = team;
      const ownPage = shared.get(person) ?? sharedPage({ width: 1280, height: 900 });
      shared.set(person, ownPage);
      const page = await ownPage.open();
      page.on('pageerror', (error) => problems.push(String(error)));
      const connection = connectionAs(homeserver, person);
      const { accessToken } = homeserver.as(person);
      await page.addInitScript(
        (sessions) => sessionStorage.setItem('gatehouse.sessions', sessions),
        JSON.stringify([{ connection, accessToken }]),
      );
      await probedBefore(page, connection, accessToken);
      await before?.(page);
      await page.goto(`${homeserver.url}/console${path}`);
      return page;
    },

    /** Opens a team member's console. Resolves when it has read the team room, so later events are new. */
    async openMember(person: string, path: string) {
      let read: Promise<unknown> | undefined;
      const page = await team.open(person, path, async (opening) => {
        read = opening.waitForResponse(/messages\?dir=f/);
      });
      await read;
      return page;
    },

    /** The first of these admins creates the team room; the others join it through their consoles. */
    async share(...people: string[]) {
      const { signal } = new AbortController();
      for (const person of people) {
        const server = serverAs(team.homeserver, person);
        const lookup = adminLookup(server.connection.userId, (userId) =>
          isAdministrator(server, userId, signal),
        );
        const found = await findRoom(server, undefined, lookup, signal);
        if (found.room) await joinTeamRoom(server, found.room);
        else await createTeamRoom(server, found);
      }
    },

    /** Creates a room with messages by Carol, each reported by Alice. */
    async report(count: number) {
      const carol = team.homeserver.as('carol');
      const alice = team.homeserver.as('alice');
      const created = await carol.post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
      const room = `/_chat/client/v3/rooms/${encodeURIComponent(created.body.room_id)}`;
      await alice.post(`${room}/join`, {});
      for (let index = 1; index <= count; index++) {
        const sent = await carol.put(`${room}/send/m.room.message/${index}`, {
          msgtype: 'm.text',
          body: `Message ${index}`,
        });
        await alice.post(`${room}/report/${encodeURIComponent(sent.body.event_id)}`, {
          reason: `Reason ${index}`,
        });
      }
    },
  };

  beforeEach(async () => {
    problems.length = 0;
    team.homeserver = await startOnSamePort();
    await team.homeserver.as('admin').put('/_service/admin/v1/users/@bob:localhost/admin', { admin: true });
    // A console long-polls only from its own device. From other devices it polls every few seconds.
    for (const person of ['admin', 'bob']) {
      const caller = team.homeserver.as(person);
      const { body } = await caller.get(`${client}/account/whoami`);
      await caller.put(`${client}/devices/${body.device_id}`, { display_name: 'Gatehouse' });
    }
  });

  afterEach(async ({ task }) => {
    for (const each of shared.values()) await each.reset(task, team.homeserver.url);
    await team.homeserver.remove();
  });

  afterAll(async () => {
    for (const each of shared.values()) await each.close();
  });

  return team;
}

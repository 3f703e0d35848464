/** Consoles of several administrators, in a browser each, on one real homeserver. */
import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { DialectName } from '../../shared/dialect.ts';
import { localListener, type TestHomeserver } from '../server/homeserver.ts';
import { type LentPage, lentPage } from './lent-page.ts';
import { metBefore } from './met-before.ts';
import { startWhereTheLastWas } from './where-the-last-was.ts';

type Console = { page: Page; context: BrowserContext };

/** Sets up the tests of a file: `admin` and `bob` are administrators, `alice` and `carol` are not. */
export function teamUnderTest() {
  /** By person, and whether it has a clock. */
  const lent = new Map<string, LentPage>();
  const problems: string[] = [];

  const team = {
    homeserver: {} as TestHomeserver,
    problems,

    /**
     * The console of an administrator, in a browser profile of its own.
     *
     * @param hasClock whether its time is the test's to set
     */
    async open(
      person: string,
      path = '/reports',
      {
        before,
        dialect = 'vendor',
        hasClock = false,
      }: { before?: (page: Page) => Promise<unknown>; dialect?: DialectName; hasClock?: boolean } = {},
    ) {
      const { homeserver } = team;
      const browser = hasClock ? `${person}, with a clock` : person;
      const theirs = lent.get(browser) ?? lentPage({ width: 1280, height: 900 }, { hasClock });
      lent.set(browser, theirs);
      const page = await theirs.lend();
      page.on('pageerror', (error) => problems.push(String(error)));
      const { userId, accessToken } = homeserver.as(person);
      const connection = {
        id: `${person}@team`,
        baseUrl: homeserver.url,
        dialect,
        userId,
        local: false,
      };
      await page.addInitScript(
        (sessions) => sessionStorage.setItem('gatehouse.sessions', sessions),
        JSON.stringify([{ connection, accessToken }]),
      );
      await metBefore(page, connection, accessToken);
      await before?.(page);
      await page.goto(`${homeserver.url}/console${path}`);
      return { page, context: page.context() } satisfies Console;
    },

    /** Someone closes their console, of which their browser keeps nothing. */
    leave: async (person: string) => lent.get(person)?.takeBack({}, team.homeserver.url),

    /** Stops the homeserver, does something meanwhile, and starts it again at the same address. */
    async restart(meanwhile: () => Promise<void>) {
      const { homeserver } = team;
      const port = Number(new URL(homeserver.url).port);
      homeserver.config.listeners = [{ ...localListener, port }];
      await homeserver.stop();
      await meanwhile();
      await homeserver.restart();
    },

    /** Makes a room with so many messages of Carol's, each reported by Alice. */
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
    team.homeserver = await startWhereTheLastWas();
    await team.homeserver.as('admin').put('/_service/admin/v1/users/@bob:localhost/admin', { admin: true });
  });

  afterEach(async ({ task }) => {
    for (const each of lent.values()) await each.takeBack(task, team.homeserver.url);
    await team.homeserver.remove();
  });

  afterAll(async () => {
    for (const each of lent.values()) await each.close();
  });

  return team;
}

/** The built console on the built-in homeserver, in either dialect, with content to act on. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { DialectName } from '../../shared/dialect.ts';
import type { TestHomeserver } from '../server/homeserver.ts';
import { actingScene, type Scene } from './acting-scene.ts';
import { probedBefore, withoutEndpointList } from './probed-before.ts';
import { startOnSamePort } from './reused-port.ts';
import { sharedPage } from './shared-page.ts';

const admin = '/_service/admin';
const enc = encodeURIComponent;

/** Shared by all files of this process. */
const shared = sharedPage({ width: 1280, height: 900 });

/** Sets up a test file: one homeserver for the file, and a clean page for each test. */
export function acting(dialect: DialectName = 'vendor') {
  const test = {
    homeserver: {} as TestHomeserver,
    page: {} as Page,
    problems: [] as string[],

    /**
     * Opens a screen as the admin, by its path below `/console`.
     *
     * @param isProbed true if the console already knows the server's features
     */
    async open(path: string, { isProbed = true } = {}) {
      const { page, homeserver } = test;
      const { userId, accessToken } = homeserver.as('admin');
      const connection = { id: 'admin@box', baseUrl: homeserver.url, dialect, userId, local: false };
      await page.addInitScript(
        (sessions) => {
          if (!sessionStorage.getItem('gatehouse.sessions')) {
            sessionStorage.setItem('gatehouse.sessions', sessions);
          }
        },
        JSON.stringify([{ connection, accessToken }]),
      );
      if (isProbed) await probedBefore(page, connection, accessToken);
      await page.goto(`${homeserver.url}/console${path}`);
    },

    /** Simulates a version whose endpoints the console has to probe. */
    asOlderServer: async () => {
      await test.page.route('**/admin/v1/server_version', (route) =>
        route.fulfill({ json: { server_version: '1.100.0' } }),
      );
      await withoutEndpointList(test.page);
    },

    /** Creates a room owned by Alice with messages from a new user, each reported by Bob. */
    scene: (options?: Parameters<typeof actingScene>[1]) => actingScene(test.homeserver, options),

    /** Returns a user from the admin API. */
    user: async (userId: string) =>
      (await test.homeserver.as('admin').get(`${admin}/v2/users/${enc(userId)}`)).body,

    /** Returns an event's current content as seen by the room's members. */
    content: ({ content }: Pick<Scene, 'content'>, eventId: string) => content(eventId),

    bar: () => test.page.getByRole('toolbar', { name: 'Actions' }).first(),

    /** Waits until the available actions are loaded. */
    ready: () => test.bar().getByRole('button', { name: 'More' }).waitFor(),

    /** Chooses from the action menu with the keyboard. Returns the panel. */
    async choose(name: string | RegExp) {
      await test.ready();
      await test.page.keyboard.press('m');
      await test.page.getByRole('menu').waitFor();
      await test.page.getByRole('menuitem', { name }).press('Enter');
      return test.panel();
    },

    /** Returns the panel once it has loaded and its reason can be edited. */
    async panel() {
      const panel = test.page.getByRole('dialog');
      const field = panel.getByRole('textbox', { name: 'Reason' });
      await field.waitFor();
      await panel.locator('form[aria-busy=false]').waitFor();
      // Keys pressed before the focus is set are lost.
      await panel.locator(':focus').first().waitFor();
      return panel;
    },

    /** Confirms "Make me room admin", which no other helper does. */
    async takePower() {
      await test.page.getByRole('checkbox', { name: /^Make me (room )?admin/ }).check();
      await test.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).focus();
    },

    /** Waits for the status message. Of an action that takes longer than two seconds, the tray says it. */
    said: (text: string | RegExp) =>
      test.page
        .getByRole('status')
        .or(test.tray().getByRole('article'))
        .filter({ hasText: text })
        .first()
        .waitFor(),

    tray: () => test.page.getByRole('region', { name: 'Jobs' }),

    /** The actions that the log of this machine holds, without evidence held before messages are removed. */
    log: () =>
      test.page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem('gatehouse.team.admin@box') ?? '[]');
        // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary entries
        const bodies: any[] = kept.map(({ body }: { body: unknown }) => body);
        return bodies.filter(({ type, action }) => type === 'action' && action !== 'hold-evidence');
      }),
  };

  beforeAll(async () => {
    test.homeserver = await startOnSamePort();
  });

  beforeEach(async () => {
    test.problems.length = 0;
    const page = await shared.open();
    page.on('pageerror', (error) => test.problems.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|Uncompiled message/i.test(message.text())) {
        test.problems.push(message.text());
      }
    });
    test.page = page;
  });

  afterEach(async ({ task }) => {
    await shared.reset(task, test.homeserver.url);
    expect(test.problems).toEqual([]);
  });

  afterAll(() => test.homeserver.remove());

  return test;
}

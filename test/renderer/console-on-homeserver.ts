/** The built console in a real browser on the built-in homeserver, in either dialect. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Config } from '../../server/platform/config/config.ts';
import type { DialectName } from '../../shared/dialect.ts';
import type { TestHomeserver } from '../server/homeserver.ts';
import { probedBefore } from './probed-before.ts';
import { startOnSamePort } from './reused-port.ts';
import { sharedPage } from './shared-page.ts';

type Request = { method: string; path: string };

/** Shared by all files of this process. */
const shared = sharedPage({ width: 1280, height: 800 });

/** Sets up a test file: one homeserver for the file, and a clean page for each test. */
export function consoleOnHomeserver(config: Partial<Config> = {}) {
  const console = {
    homeserver: {} as TestHomeserver,
    page: {} as Page,
    /** Errors in the page. */
    problems: [] as string[],
    /** Requests to the server during this test. */
    requests: [] as Request[],
    /**
     * Opens a screen as the admin, by its path below `/console`.
     *
     * @param isProbed true if the console already knows the server's features
     */
    async open(path: string, dialect: DialectName = 'vendor', { isProbed = true } = {}) {
      const { page, homeserver } = console;
      const { userId, accessToken } = homeserver.as('admin');
      const connection = { id: 'admin@box', baseUrl: homeserver.url, dialect, userId, local: false };
      await page.addInitScript(
        ([session, key]) => {
          if (!sessionStorage.getItem(String(key)))
            sessionStorage.setItem(String(key), JSON.stringify([session]));
          if (!localStorage.getItem(String(key)))
            localStorage.setItem(String(key), JSON.stringify([session]));
        },
        [{ connection, accessToken }, 'gatehouse.sessions'] as const,
      );
      if (isProbed) await probedBefore(page, connection, accessToken);
      await page.goto(`${homeserver.url}/console${path}`);
    },
  };

  beforeAll(async () => {
    console.homeserver = await startOnSamePort(config);
  });

  beforeEach(async () => {
    console.problems.length = 0;
    console.requests.length = 0;
    const page = await shared.open();
    page.on('pageerror', (error) => console.problems.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|Uncompiled message/i.test(message.text()))
        console.problems.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, pathname, search } = new URL(request.url());
      if (origin !== console.homeserver.url || pathname.startsWith('/console')) return;
      console.requests.push({ method: request.method(), path: decodeURIComponent(pathname + search) });
    });
    console.page = page;
  });

  afterEach(({ task }) => shared.reset(task, console.homeserver.url));

  afterAll(() => console.homeserver.remove());

  return console;
}

/** The console in the shell. All calls use the preload bridge, which the test implements. */
import { expect, test } from 'vitest';
import { type Endpoint, offeredStorageKey, probeVersion } from '../../renderer/api/supported-endpoints.ts';
import type { LocalServerState, NotificationsShown, PendingView, SessionsKept } from '../../shared/bridge.ts';
import { type DesktopSettings, nothingChosen } from '../../shared/desktop-settings.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { fakeVersion } from './fake-homeserver.ts';
import { metWithoutOffers } from './probed-before.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

type Shell = {
  invoked: { channel: string; input: unknown }[];
  notify: (channel: string, payload: unknown) => void;
  notificationsShown?: NotificationsShown;
  /** Targets of clicks outside of the window. */
  wanted?: PendingView;
};
declare global {
  interface Window {
    shell: Shell;
    kept?: SessionsKept;
  }
}

/** Adds a bridge to the page that sends requests to the test's homeserver, like the main process. */
async function openInShell(path: string, baseUrl = console.homeserver.url) {
  const { page, homeserver } = console;
  await page.addInitScript(
    ([url, baseUrl, nothingChosen]) => {
      const connection = {
        id: 'local',
        baseUrl,
        dialect: 'vendor' as const,
        userId: '@admin:fake.example',
        local: true,
      };
      const listeners: { channel: string; listener: (payload: unknown) => void }[] = [];
      const connections = sessionStorage.getItem('connected') ? [connection] : [];
      const invoked: Shell['invoked'] = [];
      let settings = nothingChosen;
      const channels: Record<string, (input: never) => unknown> = {
        'connections:list': () => connections,
        'connections:add-local': () => {
          sessionStorage.setItem('connected', 'yes');
          connections.push(connection);
          return connection;
        },
        'local-server:temporary-servers': () => [],
        'local-server:start-temporary-server': () => ({
          name: 'sample',
          url,
          server_name: 'fake.example',
          user_id: connection.userId,
          access_token: 'admin-token',
        }),
        'connections:add': () => {
          connections.push(connection);
          return connection;
        },
        'connections:certificate': () => ({ validUntil: Date.now() + 3 * 86_400_000 + 60_000 }),
        'connections:authority': ({ change }: { change?: string }) => ({ isChosen: change === 'choose' }),
        'connections:kept': () => window.kept ?? 'encrypted',
        'settings:read': () => settings,
        'settings:write': (chosen: DesktopSettings) => {
          settings = chosen;
          return chosen;
        },
        'notifications:shown': () => window.shell.notificationsShown ?? { state: 'shown' },
        'wanted:take': () => ({ wanted: window.shell.wanted }),
        'local-server:state': () => ({ status: 'running', url, addresses: [url], isOpen: true }),
        request: async ({ method, path: target }: { method: string; path: string }) => {
          const response = await fetch(url + target, {
            method,
            headers: { authorization: 'Bearer admin-token' },
          });
          return { status: response.status, body: await response.json() };
        },
      };
      window.shell = {
        invoked,
        notify: (channel, payload) => {
          for (const entry of listeners) if (entry.channel === channel) entry.listener(payload);
        },
      };
      window.gatehouse = {
        invoke: async (channel: string, input: unknown) => {
          invoked.push({ channel, input });
          return { ok: true, value: await channels[channel]?.(input as never) };
        },
        listen: (channel: string, listener: (payload: never) => void) => {
          listeners.push({ channel, listener: listener as (payload: unknown) => void });
          return () => {};
        },
      } as typeof window.gatehouse;
    },
    [homeserver.url, baseUrl, nothingChosen] as const,
  );
  await metWithoutOffers(page, 'local', fakeVersion);
  await page.goto(`${homeserver.url}/console${path}`);
}

async function openLocalServer() {
  await openInShell('/');
  await console.page.getByRole('button', { name: 'Open local server' }).click();
  await console.page.getByRole('link', { name: 'Local server' }).waitFor();
}

/** Scoped to the navigation rail, because the home screen links to other screens. */
const goTo = (screen: string) =>
  console.page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: screen })
    .first()
    .click();

const localServer = (state: LocalServerState) =>
  console.page.evaluate((payload) => window.shell.notify('local-server:changed', payload), state);

test('opens the local server in one click and keeps no token in the page', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await openLocalServer();
  await goTo('Reports');
  await page.getByText('3 reports', { exact: true }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain('token');
});

test('a temporary server with sample data opens in one click with its own label', async () => {
  const { page } = console;
  await openInShell('/');
  await page.getByRole('button', { name: 'Try with sample data' }).click();
  await page.getByRole('button', { name: /^Server: Sample server/ }).waitFor();
  const started = await page.evaluate(() =>
    window.shell.invoked.filter(({ channel }) => channel === 'local-server:start-temporary-server'),
  );
  expect(started.map(({ input }) => input)).toEqual([{ name: 'sample', sampleData: true }]);
});

test('a certificate authority is chosen and removed under Advanced', async () => {
  const { page } = console;
  await openInShell('/connect');
  await page.getByLabel('Server address').fill('chat.example.org');
  await page.getByText('Advanced', { exact: true }).click();
  await page.getByText('Trusts the certificate authorities of this computer').waitFor();
  await page.getByRole('button', { name: 'Choose certificate authority…' }).click();
  await page
    .getByText('Trusts your certificate authority for this server and its authentication service')
    .waitFor();
  await page.getByRole('button', { name: 'Remove certificate authority' }).click();
  await page.getByText('Trusts the certificate authorities of this computer').waitFor();
  const inputs = await page.evaluate(() =>
    window.shell.invoked.flatMap(({ channel, input }) =>
      channel === 'connections:authority' ? [input] : [],
    ),
  );
  const address = 'chat.example.org';
  expect(inputs).toEqual([{ address }, { address, change: 'choose' }, { address, change: 'remove' }]);
});

test('a click on the rail works as soon as it is visible', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await openInShell('/');
  await page.evaluate(() => {
    const rail = new MutationObserver(() => {
      const link = document.querySelector<HTMLAnchorElement>('nav a[href^="/console/reports"]');
      if (!link) return;
      rail.disconnect();
      link.click();
    });
    rail.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Open local server' }).click();
  await page.getByText('3 reports', { exact: true }).waitFor();
  expect(page.url()).toContain('/console/reports');
});

test("Home shows when the connection's certificate expires", async () => {
  const { page } = console;
  await openInShell('/', 'https://remote.example');
  await page.getByRole('button', { name: 'Open local server' }).click();
  await page.getByText('Certificate expires in 3 days. Renew it.').waitFor();
});

test('every screen says that the local server was given up, and can start it', async () => {
  const { page } = console;
  await openLocalServer();
  const message = {
    sentence: "The local server couldn't start: {reason}",
    values: { reason: 'The database is locked by another process.' },
  };
  await localServer({ status: 'failed', message });
  await page.getByRole('alert').getByText("couldn't start: The database is locked").waitFor();
  // Shown in the console's language, not the system's.
  await goTo('Settings');
  await page.getByText('Deutsch', { exact: true }).click();
  await page.getByRole('alert').getByText('konnte nicht starten: The database is locked').waitFor();
  await page.getByText('English', { exact: true }).click();
  await goTo('Tasks');
  await page.getByRole('alert').getByRole('button', { name: 'Start server', exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => window.shell.invoked.map(({ channel }) => channel)))
    .toContain('local-server:start');
  await localServer({ status: 'running', url: console.homeserver.url });
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('shows the state of the local server', async () => {
  const { page } = console;
  await openLocalServer();
  await goTo('Local server');
  await page.waitForURL('**/local-server*');
  const state = page.getByRole('status', { name: 'Local server status' });
  await state.getByText('Running').waitFor();
  await page.getByText(console.homeserver.url, { exact: true }).waitFor();
  await page.getByText('May be reachable from the network.').waitFor();
  const message = { sentence: 'The local server crashed (exit code {code}).', values: { code: 9 } };
  await localServer({ status: 'restarting', message });
  await state.getByText('Restarting after crash').waitFor();
  await page.getByText('The local server crashed (exit code 9).').waitFor();
  // The start may hang, so the button stays available.
  await localServer({ status: 'starting' });
  await page.getByRole('button', { name: 'Restart' }).click();
  await expect
    .poll(() => page.evaluate(() => window.shell.invoked.map(({ channel }) => channel)))
    .toContain('local-server:restart');
});

test.each([
  [false, 'For clients on this computer only.'],
  [true, 'Set in homeserver.yaml. May be reachable from the network.'],
])('says of a server on two addresses if others can reach it (%s)', async (isOpen, sentence) => {
  const { page, homeserver } = console;
  await openLocalServer();
  await goTo('Local server');
  await page.waitForURL('**/local-server*');
  const addresses = [homeserver.url, isOpen ? 'http://192.0.2.7:8008' : 'http://[::1]:8008'];
  await localServer({ status: 'running', url: homeserver.url, addresses, isOpen });
  const section = page.getByRole('region', { name: 'Server URL' });
  for (const address of addresses) await section.getByText(address, { exact: true }).waitFor();
  await section.getByText(sentence, { exact: true }).waitFor();
  for (const other of [/on this computer only/, /reachable from the network/]) {
    expect(await section.getByText(other).count()).toBe(other.test(sentence) ? 1 : 0);
  }
  // A stopped server has no URL.
  await localServer({ status: 'stopped' });
  await section.waitFor({ state: 'detached' });
});

test('a failed local server has one start button', async () => {
  const { page } = console;
  await openLocalServer();
  await goTo('Local server');
  await page.waitForURL('**/local-server*');
  await localServer({ status: 'failed', message: { sentence: 'The local server does not come up.' } });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Start').waitFor();
  expect(await button('Restart').count()).toBe(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox', { name: 'Search screens and actions' }).fill('local server');
  await palette.getByRole('button', { name: 'Start local server' }).waitFor();
  expect(await palette.getByRole('button', { name: 'Restart local server' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await button('Start').click();
  await expect
    .poll(() => page.evaluate(() => window.shell.invoked.map(({ channel }) => channel)))
    .toContain('local-server:start');
});

test.each<[SessionsKept, RegExp]>([
  ['encrypted', /^Sessions are encrypted with the system keychain\.$/],
  ['missing', /^No system keychain\. Sessions aren't saved and end when you quit\.$/],
  ['locked', /^Couldn't open the system keychain\..*Unlock it and restart Gatehouse\.$/],
  ['changed', /are encrypted.*Earlier ones were unreadable; sign in again/],
  ['unwritten', /^Couldn't save changed sessions\. They end when you quit\.$/],
])('sign-in and settings show how sessions are stored: %s', async (kept, sentence) => {
  const { page } = console;
  await page.addInitScript((value) => {
    window.kept = value;
  }, kept);
  await openInShell('/');
  // Only unusual states are shown before sign-in.
  if (kept !== 'encrypted') await page.getByText(sentence).waitFor();
  await page.getByRole('button', { name: 'Open local server' }).click();
  await goTo('Settings');
  await page.getByText(sentence).waitFor();
});

test('a link in a message opens through the shell', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    sampleReport(1, {
      content: {
        msgtype: 'm.text',
        body: 'x',
        format: 'org.matrix.custom.html',
        formatted_body: '<a href="https://example.org/a?b">x</a>',
      },
    }),
  ];
  await openLocalServer();
  await goTo('Reports');
  await page.getByRole('option').click();
  await page.getByRole('article').getByRole('link').click();
  await page.getByRole('button', { name: 'Open in browser' }).click();
  await expect
    .poll(() =>
      page.evaluate(() => window.shell.invoked.filter(({ channel }) => channel === 'open-external')),
    )
    .toEqual([{ channel: 'open-external', input: { url: 'https://example.org/a?b' } }]);
});

test('the menu opens the palette and the settings', async () => {
  const { page } = console;
  await openLocalServer();
  await page.evaluate(() => window.shell.notify('menu:command', { command: 'settings' }));
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.evaluate(() => window.shell.notify('menu:command', { command: 'palette' }));
  await page.getByRole('textbox', { name: 'Search screens and actions' }).waitFor();
});

/** Returns the input of the page's last call on a channel. */
const lastAsked = (channel: string) =>
  console.page.evaluate(
    (name) => window.shell.invoked.findLast((asked) => asked.channel === name)?.input,
    channel,
  );

test('background features are chosen in the settings and off by default', async () => {
  const { page } = console;
  await openLocalServer();
  await goTo('Settings');
  const switches = page.getByRole('switch', { checked: true });
  await page.getByRole('switch', { name: 'Start at login' }).waitFor();
  for (const section of ['New reports', 'Background']) {
    expect(await page.getByRole('region', { name: section }).locator(switches).count()).toBe(0);
  }
  await page.getByRole('switch', { name: 'fake.example' }).click();
  await expect
    .poll(() => lastAsked('settings:write'))
    .toEqual({ ...nothingChosen, notifications: ['local'] });
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await page.getByLabel('To', { exact: true }).fill('06:30');
  await expect
    .poll(() => lastAsked('settings:write'))
    .toEqual({ ...nothingChosen, notifications: ['local'], quiet: { from: '22:00', to: '06:30' } });
  await page.getByRole('switch', { name: 'Keep running when the window closes' }).click();
  await page.getByText('Starts in the background.').waitFor();
});

test("the own password isn't offered for requests that the app refuses", async () => {
  const { page, homeserver } = console;
  const offered: Endpoint[] = ['resetPassword', 'crossSigningReset', 'devices', 'ownAccounts'];
  await page.addInitScript(([key, kept]) => localStorage.setItem(key, kept), [
    offeredStorageKey('local'),
    JSON.stringify({ version: probeVersion(fakeVersion), askedAt: Date.now(), offered }),
  ] as const);
  homeserver.interfere = (_method, path) =>
    path.includes('/v2/users/')
      ? { status: 200, body: { name: decodeURIComponent(path.split('/').at(-1) ?? ''), is_guest: false } }
      : undefined;
  await openLocalServer();
  const actionsOn = async (name: string) => {
    // A path with a dot would be served as a file.
    await page.goto(`${homeserver.url}/console/users/@${name}:fake%2Eexample`);
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: /^Sign out all devices/ }).waitFor();
    const names = await page.getByRole('menuitem').allTextContents();
    return names.filter((name) => /password|cross-signing/.test(name)).length;
  };
  expect(await actionsOn('mallory')).toBe(2);
  expect(await actionsOn('admin')).toBe(0);
});

test('the settings say that the system shows no notifications', async () => {
  const { page } = console;
  await openLocalServer();
  const open = async (shown: NotificationsShown) => {
    await page.evaluate((value) => {
      window.shell.notificationsShown = value;
    }, shown);
    await goTo('Tasks');
    await goTo('Settings');
  };
  await open({ state: 'unsupported' });
  await page.getByText("This system doesn't support notifications").waitFor();
  await open({ state: 'refused', reason: 'Not permitted' });
  await page.getByText('Last notification failed: Not permitted. Allow Gatehouse').waitFor();
  await open({ state: 'shown' });
  await page.getByText('Last notification failed').waitFor({ state: 'detached' });
});

test('a link clicked outside of the window opens, and the report has a link', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await openLocalServer();
  await goTo('Tasks');
  const show = (wanted: PendingView) =>
    page.evaluate((value) => {
      window.shell.wanted = value;
      window.shell.notify('wanted:waiting', undefined);
    }, wanted);
  await show({ connectionId: 'local', shown: { kind: 'report', id: 2 } });
  await page.waitForURL(/\/console\/reports\?.*report=2/);
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('copy report link');
  await page.keyboard.press('Enter');
  await page.getByText('Copied: gatehouse://fake.example/report/2').waitFor();

  await show({ connectionId: 'local', shown: { kind: 'queue' } });
  await page.waitForURL(/queue=unreviewed/);
  await show({ connectionId: 'local', shown: { kind: 'user', userId: '@a/b:fake.example' } });
  await page.waitForURL(/\/console\/users\/(@|%40)a%2Fb(:|%3A)fake\.example/);
  await show({ connectionId: 'local', shown: { kind: 'filed-report', of: 'room', id: 4 } });
  await page.waitForURL(/\/console\/reports\/rooms\/4\?/);
  await show({ connectionId: 'local', shown: { kind: 'filed-reports', of: 'user' } });
  await page.waitForURL(/\/console\/reports\/users\?/);
  await show({ connectionId: 'local', shown: { kind: 'home' } });
  await page.waitForURL(/\/console\/home/);
  expect(await lastAsked('reports:unreviewed')).toEqual({ connectionId: 'local', unreviewed: 3, total: 3 });
});

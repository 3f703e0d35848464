import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { startFakeHomeserver } from './fake-homeserver.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function signInWithPassword(address: string, user: string, password: string) {
  const { page } = console;
  await page.getByLabel('Server address').fill(address);
  await page.getByLabel('Username').fill(user);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The first screen for users who have read no report yet. */
const home = () => console.page.getByRole('heading', { level: 1, name: 'Overview' });

const start = () => console.page.goto(`${console.homeserver.url}/console/`);

test('offers the server that served the page, and signs in with a password', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await start();
  await expect.poll(() => page.getByLabel('Server address').inputValue()).toBe(homeserver.url);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('admin');
  await signInWithPassword(homeserver.url, 'admin', 'correct');
  await home().waitFor();
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          document.activeElement?.contains(document.querySelector('h1')) &&
          document.activeElement !== document.body,
      ),
    )
    .toBe(true);
  await page.getByRole('link', { name: 'Open reports', exact: true }).click();
  await page.getByRole('listbox', { name: 'Reports' }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(3);
  await page.getByText('1.161.0').waitFor();
  await page.getByText('/_service', { exact: true }).waitFor();
  expect(console.problems).toEqual([]);
});

test("a password isn't sent to where a server redirects", async () => {
  const { page, homeserver } = console;
  const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const listen = async (answer: RequestListener) => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const received: string[] = [];
  const elsewhere = await listen((request, response) => {
    request.on('data', (bytes) => received.push(String(bytes)));
    request.on('end', () => response.writeHead(200, open).end('{}'));
  });
  const refused = Promise.withResolvers<void>();
  const pointing = await listen((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { ...open, 'content-type': 'application/json' });
      const reply = request.url?.endsWith('/versions')
        ? { versions: ['v1.11'] }
        : { flows: [{ type: 'm.login.password' }] };
      return response.end(JSON.stringify(reply));
    }
    response.writeHead(307, { ...open, location: `${elsewhere}${request.url}` }).end();
    refused.resolve();
  });
  await page.goto(`${homeserver.url}/console/`);
  await signInWithPassword(pointing, 'admin', 'to nobody else');
  await refused.promise;
  await page.getByRole('alert').first().waitFor();
  expect(received).toEqual([]);
});

test('signs in with a JSON Web Token', async () => {
  const { page } = console;
  await start();
  await page.getByText('JWT', { exact: true }).click();
  await page.getByLabel('JSON Web Token').fill('valid.jwt');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await home().waitFor();
});

test('signs in with an access token', async () => {
  const { page } = console;
  await start();
  await page.getByText('Access token', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Access token' }).fill('admin-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await home().waitFor();
});

test("a one-time link signs in once, and its token doesn't stay in the address", async () => {
  const { page, homeserver } = console;
  homeserver.loginTokens.add('one-time');
  await page.goto(`${homeserver.url}/console/#login_token=one-time`);
  await home().waitFor();
  expect(page.url()).not.toContain('one-time');

  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  await page.goto(`${homeserver.url}/console/#login_token=one-time`);
  await page.getByRole('alert').getByText('This single-use link was used or has expired.').waitFor();
  expect(page.url()).not.toContain('one-time');
});

test('says that nothing listens on a port', async () => {
  await start();
  await signInWithPassword('http://127.0.0.1:1', 'admin', 'correct');
  await console.page.getByRole('alert').getByText("Can't reach server", { exact: true }).waitFor();
});

test('says that a proxy gets no reply from the server, at sign-in and later', async () => {
  const { homeserver, page } = console;
  await console.open('/reports');
  await page.getByText('0 reports').waitFor();
  homeserver.interfere = () => ({ status: 503, body: '<h1>Service unavailable</h1>' });
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByText("The proxy can't reach the server (HTTP 503).").first().waitFor();
  await page.getByRole('button', { name: 'Retry now' }).waitFor();
  await page.goto(`${homeserver.url}/console/connect`);
  await signInWithPassword(homeserver.url, 'admin', 'correct');
  await page.getByRole('alert').getByText("The proxy can't reach the server (HTTP 503).").waitFor();
});

test('says that a server responds, but not to pages of other origins', async () => {
  const server = createServer((_request, response) => response.end('<h1>It works!</h1>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  await start();
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/matrix`;
  await signInWithPassword(address, 'admin', 'correct');
  await console.page
    .getByRole('alert')
    .getByText(`The browser can't read the response from ${address}`)
    .waitFor();
});

test("says that a web server isn't a homeserver", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' });
    response.end('<h1>It works!</h1>');
  });
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await start();
  await signInWithPassword(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'admin', 'correct');
  await console.page.getByRole('alert').getByText('Not a homeserver', { exact: true }).waitFor();
});

test('finds a cross-origin server that hides its replies to unknown paths', async () => {
  const other = createServer((request, response) => {
    const known = {
      '/_matrix/client/versions': { versions: ['v1.11'] },
      '/_matrix/client/r0/login': { flows: [{ type: 'm.login.password' }] },
      '/_matrix/client/v3/login': { flows: [{ type: 'm.login.password' }] },
    }[request.url ?? ''];
    response.writeHead(known ? 200 : 404, {
      'content-type': 'application/json',
      ...(known && { 'access-control-allow-origin': '*' }),
    });
    response.end(JSON.stringify(known ?? {}));
  });
  closing.push(() => other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  await start();
  const login = console.page.waitForRequest(/_matrix\/client\/r0\/login/);
  await signInWithPassword(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, 'admin', 'correct');
  await login;
});

/** Starts a homeserver without users, over HTTP or HTTPS. Returns its address without the scheme. */
async function knockable(scheme: 'http' | 'https', asked: string[]): Promise<string> {
  const listener: RequestListener = (request, response) => {
    asked.push(`${scheme} ${request.method} ${request.url}`);
    const known = request.url?.startsWith('/_matrix/client/versions');
    response.writeHead(known ? 200 : 404, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    });
    response.end(known ? JSON.stringify({ versions: ['v1.11'] }) : '{}');
  };
  const tls = (file: string) => readFileSync(join(projectRoot, 'test/server/http/tls', file));
  const server: Server =
    scheme === 'http'
      ? createServer(listener)
      : createTlsServer({ cert: tls('localhost.crt'), key: tls('localhost.key') }, listener);
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `localhost:${(server.address() as AddressInfo).port}`;
}

test('http and https are distinguished, and no password is sent to the wrong one', async () => {
  const { homeserver } = console;
  const asked: string[] = [];
  const [plain, encrypted] = [await knockable('http', asked), await knockable('https', asked)];
  const browser = console.page.context().browser();
  const context = await browser?.newContext({ ignoreHTTPSErrors: true });
  if (!context) throw new Error('there is no browser');
  closing.push(() => void context.close());
  const page = await context.newPage();
  const signIn = async (address: string) => {
    await page.goto(`${homeserver.url}/console/connect`);
    await page.getByLabel('Server address').fill(address);
    await page.getByLabel('Username').fill('admin');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const alert = page.getByRole('alert');

  await signIn(`https://${plain}`);
  await alert.getByText('Server uses http', { exact: true }).waitFor();
  await alert.getByText(`The homeserver is at http://${plain}, not`).waitFor();

  await signIn(`http://${encrypted}`);
  await alert.getByText('Server uses https', { exact: true }).waitFor();
  await alert.getByText(`The homeserver is at https://${encrypted}`).waitFor();
  expect(asked.filter((one) => one.includes('/login'))).toEqual([]);

  // Without a scheme, the console uses the one that responds, provided it's HTTPS.
  await page.goto(`${homeserver.url}/console/connect`);
  await page.getByLabel('Server address').fill(encrypted);
  await page.keyboard.press('Tab');
  await expect.poll(() => asked).toContainEqual(expect.stringMatching(/^https GET .*\/login/));
});

test('says that the credentials are wrong', async () => {
  await start();
  await signInWithPassword(console.homeserver.url, 'admin', 'wrong');
  await console.page.getByRole('alert').getByText('Invalid credentials:').waitFor();
});

test("says that the account isn't an admin, and ends its session", async () => {
  const { homeserver, page } = console;
  await start();
  await signInWithPassword(homeserver.url, 'mallory', 'correct');
  await page.getByRole('alert').getByText("@mallory:fake.example isn't a server admin.").waitFor();
  await expect.poll(() => homeserver.tokens.has('mallory-token')).toBe(false);
  expect(await page.evaluate(() => sessionStorage.getItem('gatehouse.sessions'))).toBeNull();
});

test('gives up on a server after ten seconds', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  await start();
  homeserver.interfere = () => new Promise(() => {});
  const asked = page.waitForRequest(/client\/versions/);
  await signInWithPassword(homeserver.url, 'admin', 'correct');
  await asked;
  // The form's requests about the address come first.
  await expect
    .poll(async () => {
      await page.clock.fastForward(10_000);
      return page.getByRole('alert').getByText('Timed out').isVisible();
    })
    .toBe(true);
});

test('an ended session leads to signing in again and back to the same view', async () => {
  const { homeserver, page } = console;
  homeserver.reports = sampleReports(30);
  await console.open('/reports?reporter=@alice:fake.example&report=7');
  await page.getByRole('article').getByText('Message 7').waitFor();

  homeserver.tokens.clear();
  // Uses the keyboard: any other request may end the session first and remove the list.
  await page.keyboard.press('j');
  await page.getByText('Your session has ended').waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('textbox', { name: 'Password' }).fill('correct');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('30 matches').waitFor();
  await expect.poll(console.address).toContain('reporter=@alice:fake.example');
});

test('signing in again uses the server and user of the ended session', async () => {
  const { homeserver, page } = console;
  const other = await startFakeHomeserver('nowhere');
  closing.push(() => void other.stop());
  other.tokens.clear();
  await page.addInitScript((baseUrl) => {
    const sessions = ['admin', 'ada'].map((name) => ({
      connection: {
        id: `${name}@other`,
        baseUrl,
        dialect: 'vendor',
        userId: `@${name}:other.example`,
        local: false,
      },
      accessToken: 'ended',
    }));
    sessionStorage.setItem('gatehouse.sessions', JSON.stringify(sessions));
  }, other.url);
  await page.goto(`${homeserver.url}/console/reports?server=ada@other`);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('textbox', { name: 'Password' }).fill('correct');
  expect(await page.getByLabel('Server address').inputValue()).toBe(other.url);
  expect(await page.getByLabel('Username').inputValue()).toBe('@ada:other.example');
  expect(await page.getByLabel('Server address').isEditable()).toBe(false);
  expect(await page.getByLabel('Username').isEditable()).toBe(false);
  homeserver.requests.length = 0;
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.poll(() => other.requests).toContain('POST /_chat/client/r0/login');
  expect(homeserver.requests).toEqual([]);
});

test("a view's address leads to the sign-in of its own server, also after the browser was closed", async () => {
  const { homeserver, page } = console;
  const other = await startFakeHomeserver('nowhere');
  closing.push(() => void other.stop());
  await start();
  await signInWithPassword(other.url, 'admin', 'correct');
  await home().waitFor();
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(`${homeserver.url}/console/`);
  await page.evaluate(() => sessionStorage.clear());

  await page.goto(address);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct');
  expect(await page.getByLabel('Server address').inputValue()).toBe(other.url);
  expect(await page.getByLabel('Server address').isEditable()).toBe(false);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await home().waitFor();
  expect(page.url()).toBe(address);

  // The console offers no alternative to a server this browser has never used. It still knows this server's user.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${homeserver.url}/console/reports?server=ada%40elsewhere.example`);
  await page.getByLabel('Username').waitFor();
  expect(await page.getByLabel('Server address').inputValue()).toBe('');
  await page.goto(`${homeserver.url}/console/reports?server=ada%40${new URL(homeserver.url).host}`);
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('ada');
  expect(await page.getByLabel('Server address').inputValue()).toBe(homeserver.url);
});

test.each([
  [404, 'but a proxy blocks /_service/admin/'],
  [502, 'but a proxy returns HTTP 502 for /_service/admin/'],
])(
  'says that a proxy hides the admin API behind %s, how to reach it, and leaves no device',
  async (status, said) => {
    const { homeserver, page } = console;
    homeserver.interfere = (_method, path) =>
      path.startsWith('/_service/') ? { status, body: '<h1>Not here</h1>' } : undefined;
    await start();
    await signInWithPassword(homeserver.url, 'admin', 'correct');
    const alert = page.getByRole('alert');
    await alert.getByText('Admin API unreachable').waitFor();
    await alert.getByText('/_service/admin/').filter({ hasText: said }).waitFor();
    await alert.getByText('ssh -L 8008').waitFor();
    await expect.poll(() => homeserver.requests).toContain('POST /_chat/client/v3/logout');
  },
);

test('refuses invalid addresses before anything is sent', async () => {
  const { homeserver, page } = console;
  await start();
  await page.getByLabel('Server address').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await signInWithPassword('user@example.org', 'admin', 'correct');
  await page.getByRole('alert').getByText('Invalid address', { exact: true }).waitFor();
  // The console probes only the server that serves the page.
  expect(sent.filter((url) => !url.startsWith(`${homeserver.url}/`))).toEqual([]);
});

test('settings open without a server', async () => {
  const { homeserver, page } = console;
  await page.goto(`${homeserver.url}/console/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('form', { name: 'Sign in to a server' }).waitFor();
});

test('the window title has the screen, the server and the open item', async () => {
  const { homeserver, page } = console;
  homeserver.reports = sampleReports(4);
  await console.open('/reports');
  await expect.poll(() => page.title()).toBe('(4) Reports · fake.example · Gatehouse');
  await page.getByRole('link', { name: 'Tasks' }).click();
  await expect.poll(() => page.title()).toBe('(4) Tasks · fake.example · Gatehouse');
});

test('tabs of a user share their sessions and end them together', async () => {
  const { homeserver, page } = console;
  homeserver.reports = sampleReports(4);
  // Delays its messages to other tabs, like a busy tab.
  await page.addInitScript(() => {
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (message) {
      setTimeout(() => postMessage.call(this, message), 1500);
    };
  });
  await console.open('/reports');
  await page.getByText('4 reports', { exact: true }).waitFor();

  const other = await page.context().newPage();
  await other.goto(`${homeserver.url}/console/reports`);
  await other.getByText('4 reports', { exact: true }).waitFor();
  await other.getByRole('link', { name: 'Settings' }).click();
  await other.getByRole('button', { name: /^Sign out of/ }).click();
  await other
    .getByRole('dialog', { name: /^Sign out of/ })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await page.getByRole('form', { name: 'Sign in to a server' }).waitFor();

  // A sign-in in one tab reaches the other without a reload.
  await signInWithPassword(homeserver.url, 'admin', 'correct');
  await page.getByText('4 reports', { exact: true }).waitFor();
  await other.getByRole('link', { name: 'Back to fake.example' }).click();
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('a lost sign-in link has a way back that the page names', async () => {
  const { homeserver, page } = console;
  await page.goto(`${homeserver.url}/console/connect`);
  await page.getByText('npm run gatehouse -- users sign-in-link').waitFor();
});

test('signing out in the settings asks first, ends the session on the server and deletes it here', async () => {
  const { homeserver, page } = console;
  await console.open('/settings');
  const asking = page.getByRole('dialog', { name: 'Sign out of fake.example?' });
  const kept = () =>
    page.evaluate(
      (id) =>
        [localStorage, sessionStorage].flatMap((storage) =>
          Object.entries<string>(storage)
            .filter((entry) => /admin[:@]fake/.test(String(entry)) || String(entry).includes(id))
            .map(([key]) => key),
        ),
      serverId,
    );
  const remembered = await page.waitForFunction(() => JSON.parse(localStorage['gatehouse.server'] ?? '""'));
  const serverId = String(await remembered.jsonValue());
  await page.evaluate((id) => {
    localStorage[`gatehouse.actions.${id}`] = '[]';
    localStorage[`gatehouse.team.${id}`] =
      '[{"id":"mark","at":1,"body":{"type":"mark","reports":[1],"state":"reviewed"}}]';
    localStorage[`gatehouse.team.first.${id}`] = localStorage[`gatehouse.team.${id}`];
    localStorage[`gatehouse.drafts.super${id}`] = '[]';
    sessionStorage[`gatehouse.undo.${id}`] = '[]';
    localStorage['gatehouse.reports.viewed'] = JSON.stringify({
      day: '',
      reports: [`${id} 1`, '@root:far 1'],
    });
  }, serverId);
  await expect.poll(kept).toContain(`gatehouse.offered.${serverId}`);
  await page.getByRole('button', { name: /^Sign out of/ }).click();
  await asking.getByText('Signs out @admin:fake.example').waitFor();
  await page.keyboard.press('Escape');
  await asking.waitFor({ state: 'detached' });
  expect(homeserver.tokens.has('admin-token')).toBe(true);
  await page.keyboard.press('Enter');
  await asking.waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Sign in to a server' }).waitFor();
  await expect.poll(() => homeserver.tokens.has('admin-token')).toBe(false);
  // Unsent marks and notes stay for every account; drafts stay for other accounts.
  const staying = [
    `gatehouse.drafts.super${serverId}`,
    `gatehouse.team.${serverId}`,
    `gatehouse.team.first.${serverId}`,
  ];
  await expect.poll(async () => (await kept()).sort()).toEqual(staying);
  expect(await page.evaluate(() => localStorage['gatehouse.reports.viewed'])).toBe(
    '{"day":"","reports":["@root:far 1"]}',
  );
  // The page may come from another server than the last one signed out of.
  await page.addInitScript(() => {
    if (!localStorage.getItem('gatehouse.address')?.startsWith('"http')) throw new Error('no address kept');
    localStorage.setItem('gatehouse.address', '"https://elsewhere.example"');
  });
  await page.goto(`${homeserver.url}/console/connect`);
  await expect.poll(() => page.getByLabel('Server address').inputValue()).toBe('https://elsewhere.example');
  expect(await page.getByLabel('Username').inputValue()).toBe('');
});

test('a refused JSON Web Token shows its validity period', async () => {
  const { page } = console;
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  await start();
  await page.getByText('JWT', { exact: true }).click();
  const token = page.getByLabel('JSON Web Token');
  await token.fill(`${part({ alg: 'HS256' })}.${part({ sub: 'admin', exp: now - 3605, nbf: now - 7205 })}.x`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText(/^Token expires .* \(1 hour ago by this computer's clock\)\.$/).waitFor();
  await alert.getByText(/^Token valid from .* \(2 hours ago by this computer's clock\)\.$/).waitFor();
  await token.fill(`${part({ alg: 'HS256' })}.${part({ sub: 'admin', exp: now - 3605 })}.x`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText(/^Token valid from /).waitFor({ state: 'detached' });
  await alert.getByText(/^Token expires /).waitFor();
  await token.fill('no token at all');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => alert.getByText(/^Token (expires|valid from) /).count()).toBe(0);
  await alert.getByText('Invalid username or password').waitFor();
  expect(console.problems).toEqual([]);
});

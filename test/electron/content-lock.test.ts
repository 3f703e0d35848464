import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';

let app: App;
let elsewhere: Server;
let origin: string;
/** Requests that the page sent to another server. */
const asked: string[] = [];

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    response.end('<h1>Elsewhere</h1>');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  app = await startApp({ dist: shellAlone });
});
afterAll(async () => {
  await app?.dispose();
  elsewhere?.close();
  expect(asked).toEqual([]);
});
afterEach(async () => {
  // After each attempt, the console is still loaded and its bridge works.
  expect(await app.page.evaluate(() => location.pathname)).toBe('/console/');
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [] });
  expect(asked).toEqual([]);
  expect(app.page.context().pages()).toHaveLength(1);
});

const navigations: [string, (address: string) => void][] = [
  ['setting the location', (address) => location.assign(address)],
  ['replacing the location', (address) => location.replace(address)],
  [
    'a link',
    (address) => {
      const link = Object.assign(document.createElement('a'), { href: address });
      document.body.append(link);
      link.click();
      link.remove();
    },
  ],
  [
    'a link into the whole window',
    (address) => {
      const link = Object.assign(document.createElement('a'), { href: address, target: '_top' });
      document.body.append(link);
      link.click();
      link.remove();
    },
  ],
  [
    'a form',
    (address) => {
      const form = Object.assign(document.createElement('form'), { action: address, method: 'post' });
      document.body.append(form);
      form.submit();
      form.remove();
    },
  ],
  [
    'a refresh',
    (address) => {
      const meta = Object.assign(document.createElement('meta'), {
        httpEquiv: 'refresh',
        content: `0;url=${address}`,
      });
      document.head.append(meta);
    },
  ],
];

test.each(navigations)("%s doesn't navigate away", async (_, navigate) => {
  await app.page.evaluate(navigate, `${origin}/away`);
  // An allowed navigation would have started before this round trip.
  await app.invoke('local-server:state', undefined);
});

test.each([
  'file:///etc/passwd',
  'data:text/html,<h1>data</h1>',
  'javascript:document.title="taken"',
  'app://elsewhere/console/',
  'app://gatehouse/secret.txt',
  'https://gatehouse.app.scheme.stand-in.test/secret.txt',
  'chrome://settings',
  'view-source:https://example.org/',
])('navigation to %s is blocked', async (address) => {
  await app.page.evaluate((target) => location.assign(target), address);
  await app.invoke('local-server:state', undefined);
  expect(await app.page.title()).toBe('Ready');
});

test.each([
  ['a frame of another server', () => `${origin}/frame`],
  ['a frame of the console', () => '/console/'],
])("%s doesn't load", async (_, address) => {
  const loaded = await app.page.evaluate(async (src) => {
    const frame = Object.assign(document.createElement('iframe'), { src });
    const done = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await done;
    const text = frame.contentDocument?.body?.textContent ?? '';
    frame.remove();
    return text;
  }, address());
  expect(loaded).not.toContain('Elsewhere');
  expect(loaded).not.toContain('A page of the console');
});

test.each([
  ['an image', (address: string) => void Object.assign(new Image(), { src: address })],
  [
    'a script',
    (address: string) => {
      document.head.append(Object.assign(document.createElement('script'), { src: address }));
    },
  ],
  [
    'a module',
    (address: string) => {
      document.head.append(Object.assign(document.createElement('script'), { src: address, type: 'module' }));
    },
  ],
  [
    'a style sheet',
    (address: string) => {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }),
      );
    },
  ],
  [
    'an object',
    (address: string) => {
      document.body.append(Object.assign(document.createElement('object'), { data: address }));
    },
  ],
  ['a beacon', (address: string) => void navigator.sendBeacon(address)],
  [
    'a prefetch',
    (address: string) => {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: address }));
    },
  ],
])("%s isn't loaded from other origins", async (_, load) => {
  await app.page.evaluate(load, `${origin}/load`);
  await app.invoke('local-server:state', undefined);
});

test('fetch, sockets and inline scripts are blocked', async () => {
  const results = await app.page.evaluate(async (address) => {
    const fetched = await fetch(address).then(
      () => 'fetched',
      () => 'refused',
    );
    const socket = await new Promise((resolve) => {
      const opened = new WebSocket(address.replace('http', 'ws'));
      opened.onopen = () => resolve('opened');
      opened.onerror = () => resolve('refused');
    });
    const script = Object.assign(document.createElement('script'), { textContent: 'window.taken = true' });
    document.body.append(script);
    return { fetched, socket, taken: 'taken' in window };
  }, origin);
  expect(results).toEqual({ fetched: 'refused', socket: 'refused', taken: false });
  const evaluated = await app.page.evaluate(async () => {
    // In a new task: CSP doesn't apply to the evaluated script itself, only to later ones.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      return new Function('return 2')();
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(evaluated).toBe('EvalError');
});

test.each([
  ['an https link', 'https://example.org/path?q=1#there', 'https://example.org/path?q=1#there'],
  ['an address in another form', 'HTTPS://EXAMPLE.org:443/a b', 'https://example.org/a%20b'],
  ['http', 'http://example.org/', undefined],
  ['a file', 'file:///etc/passwd', undefined],
  ['mail', 'mailto:someone@example.org', undefined],
  ['a program', 'smb://example.org/share', undefined],
  ['a settings page', 'ms-settings:privacy', undefined],
  ['a script', 'javascript:alert(1)', undefined],
  ['the console itself', '/console/', undefined],
  ['an address with a user', 'https://user:secret@example.org/', undefined],
])('a new window opens in the system browser or not at all: %s', async (_, address, expected) => {
  const before = (await app.command('openedExternally')).length;
  const byScript = () => app.page.evaluate((url) => window.open(url) === null, address);
  const byLink = () =>
    app.page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href, target: '_blank' });
      document.body.append(link);
      link.click();
      link.remove();
      return true;
    }, address);
  for (const open of [byScript, byLink]) {
    expect(await open()).toBe(true);
    if (expected) await (await app.nextDialog()).answer('Open page');
  }
  await app.invoke('local-server:state', undefined);
  expect(app.openDialogs).toBe(0);
  const opened = (await app.command('openedExternally')).slice(before);
  expect(opened).toEqual(expected ? [expected, expected] : []);
});

test.each([
  ['https://example.org/', true],
  ['http://example.org/', false],
  ['https://user:secret@example.org/', false],
  ['https://', false],
  [`https://${'a.'.repeat(130)}example.org/`, false],
  ['https://exa mple.org/', false],
  ['javascript:alert(1)', false],
])('the bridge opens %s: %s', async (url, opens) => {
  const before = (await app.command('openedExternally')).length;
  const outcome = app.invoke('open-external', { url });
  if (opens) await (await app.nextDialog()).answer('Open page');
  expect(await outcome).toMatchObject(opens ? { ok: true } : { ok: false, failure: { code: 'refused' } });
  expect(await app.command('openedExternally')).toHaveLength(before + (opens ? 1 : 0));
});

test('a link opens only after the user confirms its host, one at a time', async () => {
  const before = await app.command('openedExternally');
  const first = app.invoke('open-external', { url: 'https://first.example/a?b' });
  const { options, answer } = await app.nextDialog();
  expect(options).toMatchObject({
    message: 'Open first.example in the browser?',
    detail: 'https://first.example/a?b',
  });
  const second = await app.invoke('open-external', { url: 'https://second.example/' });
  expect(second).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(app.openDialogs).toBe(0);
  await answer('Cancel');
  expect(await first).toEqual({ ok: true, value: undefined });
  expect(await app.command('openedExternally')).toEqual(before);
});

test.each([
  'media',
  'geolocation',
  'notifications',
  'clipboard-read',
  'midi',
  'midiSysex',
  'pointerLock',
  'fullscreen',
  'openExternal',
  'display-capture',
  'idle-detection',
  'hid',
  'serial',
  'usb',
  'fileSystem',
  'window-management',
  'unknown',
])('the permission %s is denied', async (permission) => {
  const url = 'app://gatehouse/console/';
  const denied = { checked: false, requested: false };
  expect(await app.command('askPermission', { permission, url })).toEqual(denied);
});

test('only the console may write to the clipboard, and only clean text', async () => {
  const ask = (url: string) => app.command('askPermission', { permission: 'clipboard-sanitized-write', url });
  expect(await ask('app://gatehouse/console/')).toEqual({ checked: true, requested: true });
  expect(await ask('https://example.org/')).toEqual({ checked: false, requested: false });
  expect(await ask('app://elsewhere/console/')).toEqual({ checked: false, requested: false });
});

test('the page sees its permissions as denied', async () => {
  const states = await app.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'clipboard-read'] as PermissionName[];
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(states).toEqual(['denied', 'denied', 'denied']);
});

test('devices are inaccessible', async () => {
  expect(await app.command('mayUseDevice')).toBe(false);
});

test('nothing is embedded', async () => {
  expect(await app.command('attachWebview', { src: 'https://example.org/' })).toEqual({ prevented: true });
});

// This test comes last, because the app blocks prompts for a while afterwards.
test('a page can open one question at a time, and none after several refusals', async () => {
  const ask = (number: number) =>
    app.invoke('connections:add', {
      address: `https://${number}.invalid`,
      credentials: { type: 'jwt', token: 'x' },
    });
  // A confirmation resets the count of refusals.
  const opened = app.invoke('open-external', { url: 'https://example.org/' });
  await (await app.nextDialog()).answer('Open page');
  expect(await opened).toMatchObject({ ok: true });

  const first = ask(0);
  const { answer } = await app.nextDialog();
  await app.command('willOpen', { path: null });
  for (const outcome of [
    await ask(1),
    await app.invoke('open-external', { url: 'https://example.org/' }),
    await app.invoke('local-server:reset', undefined),
    await app.invoke('local-server:restore', undefined),
  ]) {
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  }
  expect(app.openDialogs).toBe(0);
  await answer('Cancel');
  expect(await first).toMatchObject({ ok: false, failure: { code: 'cancelled' } });

  for (let noes = 1; noes < 6; noes++) {
    const asked = ask(noes);
    await (await app.nextDialog()).answer('Cancel');
    expect(await asked).toMatchObject({ failure: { code: 'cancelled' } });
  }
  const outcome = await ask(6);
  expect(outcome).toMatchObject({ failure: { message: expect.stringContaining('declined 6 times') } });
  expect(app.openDialogs).toBe(0);
});

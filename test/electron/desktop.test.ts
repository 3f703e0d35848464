/** Desktop integration: notifications, badge, tray, background mode, start at login, links. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../shared/connection.ts';
import { type DesktopSettings, nothingChosen } from '../../shared/desktop-settings.ts';
import { plainServerName } from '../../shared/plain-server-name.ts';
import { type App, launchApp, startApp } from './app.ts';
import { shellAlone } from './build.ts';
import { RemoteHomeserver } from './remote-homeserver.ts';

const configuration = mkdtempSync(join(tmpdir(), 'gatehouse-configuration-'));
const environment = { XDG_CONFIG_HOME: configuration };
const autostart = join(configuration, 'autostart/gatehouse-development.desktop');

let app: App;
let remote: RemoteHomeserver;
let connection: Connection;

beforeAll(async () => {
  remote = await RemoteHomeserver.start();
  remote.name = 'remote.example';
  remote.reports = [3, 2, 1];
  app = await startApp({ dist: shellAlone, environment });
  connection = await connect();
});
afterAll(async () => {
  await app?.dispose();
  await remote?.close();
  rmSync(configuration, { recursive: true, force: true });
});
beforeEach(async () => {
  await choose({});
  await app.invoke('wanted:take', undefined);
  for (const title of (await desktop()).notifications) {
    await app.command('notification', { title, action: 'close' });
  }
});

const signIn = () =>
  app.invoke('connections:add', {
    address: remote.url,
    credentials: { type: 'password', user: 'admin', password: remote.password },
  });

async function connect(): Promise<Connection> {
  const added = signIn();
  await (await app.nextDialog()).answer('Connect');
  const outcome = await added;
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function signInAgain(): Promise<Connection> {
  const outcome = await signIn();
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function choose(chosen: Partial<DesktopSettings>): Promise<DesktopSettings> {
  const outcome = await app.invoke('settings:write', { ...nothingChosen, ...chosen });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

const desktop = () => app.command('desktop');
const notified = () => desktop().then(({ notifications }) => notifications);
const wanted = async () => {
  const outcome = await app.invoke('wanted:take', undefined);
  return outcome.ok ? outcome.value.wanted : undefined;
};
const looks = () => remote.received.filter(({ path }) => path.endsWith('event_reports?limit=1&dir=b')).length;

/** Resumes the machine until the app has finished a poll: a second poll has started by then. */
async function look(): Promise<void> {
  const before = looks();
  await expect
    .poll(async () => {
      await app.command('resume');
      return looks();
    })
    .toBeGreaterThanOrEqual(before + 2);
}

async function begin(chosen: Partial<DesktopSettings>): Promise<void> {
  await choose(chosen);
  await look();
}

const arrive = (count = 1) => {
  for (let times = 0; times < count; times++)
    remote.reports = [(remote.reports[0] ?? 0) + 1, ...remote.reports];
};

test('nothing is polled or shown before the user enables it', async () => {
  expect(await app.invoke('settings:read', undefined)).toEqual({ ok: true, value: nothingChosen });
  arrive();
  await app.command('resume');
  expect(await desktop()).toEqual({ badge: 0, notifications: [], protocols: [] });
  expect(looks()).toBe(0);
  expect(existsSync(autostart)).toBe(false);
});

test('one or more new reports are one notification, and a click opens them', async () => {
  await begin({ notifications: [connection.id] });
  expect(await notified()).toEqual([]);
  arrive();
  await look();
  expect(await notified()).toEqual(['New report on remote.example']);
  await app.command('window', { action: 'minimize' });
  await app.command('notification', { title: 'New report on remote.example', action: 'click' });
  expect(await app.command('windows')).toMatchObject([{ minimized: false, focused: true }]);
  const newest = remote.reports[0] ?? 0;
  const report = { kind: 'report', id: newest };
  expect(await wanted()).toEqual({ connectionId: connection.id, shown: report });
  expect(await wanted()).toBe(undefined);

  arrive();
  await look();
  arrive(2);
  await look();
  expect(await notified()).toEqual(['3 new reports on remote.example']);
  await app.command('notification', { title: '3 new reports on remote.example', action: 'click' });
  expect(await wanted()).toEqual({ connectionId: connection.id, shown: { kind: 'queue' } });
});

test('tray and notifications name and mark connections as the console does', async () => {
  await begin({ notifications: [connection.id], tray: true });
  const chosen = { label: 'Chat & more', color: 'green', isProduction: true } as const;
  await app.invoke('connections:looks', { of: { [connection.id]: chosen }, order: [] });
  await expect
    .poll(async () => (await desktop()).tray?.items)
    .toContain('Chat && more (production): reachable');
  expect((await desktop()).tray?.toolTip).toContain('Chat & more (production): reachable');
  arrive();
  await look();
  expect(await notified()).toEqual(['New report on Chat & more (production)']);
  await app.invoke('connections:looks', { of: {}, order: [] });
});

test('user and room reports also notify, and a click opens the right list', async () => {
  remote.filedReports = { user: [1], room: [] };
  const click = async (title: string) => {
    expect(await notified()).toEqual([title]);
    await app.command('notification', { title, action: 'click' });
    return (await wanted())?.shown;
  };
  await begin({ notifications: [connection.id] });
  const one = 'New report on remote.example';
  remote.filedReports.user.unshift(2);
  await look();
  expect(await click(one)).toEqual({ kind: 'filed-report', of: 'user', id: 2 });
  remote.filedReports.room.unshift(2, 1);
  await look();
  expect(await click('2 new reports on remote.example')).toEqual({ kind: 'filed-reports', of: 'room' });
  arrive();
  remote.filedReports.user.unshift(3);
  await look();
  expect(await click('2 new reports on remote.example')).toEqual({ kind: 'home' });
  arrive(60);
  await look();
  expect(await click('50+ new reports on remote.example')).toEqual({ kind: 'queue' });
  remote.filedReports = undefined;
});

test('disabled system notifications are detected where possible', async () => {
  const usual = app;
  const shown = () => app.invoke('notifications:shown', undefined);
  expect(await shown()).toEqual({ ok: true, value: { state: 'shown' } });
  try {
    app = await startApp({ dist: shellAlone, settings: { notificationFailure: 'Not permitted' } });
    await begin({ notifications: [(await connect()).id] });
    arrive();
    await look();
    expect(await shown()).toEqual({ ok: true, value: { state: 'refused', reason: 'Not permitted' } });
    await app.dispose();
    app = await startApp({ dist: shellAlone, settings: { notifications: false } });
    expect(await shown()).toEqual({ ok: true, value: { state: 'unsupported' } });
  } finally {
    await app.dispose();
    app = usual;
  }
});

test('oversized input from a server or a page changes nothing', async () => {
  await begin({ notifications: [connection.id], badge: true });
  const before = remote.reports;
  const next = (before[0] ?? 0) + 1;
  remote.reports = Array.from({ length: 200_000 }, (_, index) => next + 200_000 - index);
  await look();
  expect(await notified()).toEqual(['50+ new reports on remote.example']);
  await app.invoke('reports:unreviewed', {
    connectionId: connection.id,
    unreviewed: Number.MAX_SAFE_INTEGER,
    total: 0,
  });
  expect((await desktop()).badge).toBe(2 ** 31 - 1);
  const settings = { badge: true, more: 'x' };
  expect(await choose(settings)).toEqual({ ...nothingChosen, badge: true });
  expect(readFileSync(join(app.profile, 'settings.json'), 'utf8')).not.toContain('more');
  await app.invoke('reports:unreviewed', { connectionId: connection.id, unreviewed: 0, total: 200_000 });
  remote.reports = [next + 300_000, ...before];
});

test('the page is notified of a pending link', async () => {
  const heard = await app.page.evaluateHandle(() => {
    const calls: unknown[] = [];
    window.gatehouse?.listen('wanted:waiting', (payload) => calls.push(payload));
    return calls;
  });
  await app.command('openUrl', { url: 'gatehouse://remote.example/report/7' });
  await app.page.waitForFunction((calls) => calls.length === 1, heard);
});

test('viewing the reports of a server suppresses its notifications', async () => {
  await begin({ notifications: [connection.id] });
  const total = remote.reports.length;
  await app.invoke('reports:unreviewed', { connectionId: connection.id, unreviewed: 1, total });
  await app.command('window', { action: 'focus' });
  arrive();
  await look();
  expect(await notified()).toEqual([]);
  await app.command('window', { action: 'blur' });
  arrive();
  await look();
  expect(await notified()).toEqual(['New report on remote.example']);
});

test('quiet hours hold notifications back and then combine them', async () => {
  const hour = (shift: number) => {
    const time = new Date(Date.now() + shift * 3_600_000);
    return time.toTimeString().slice(0, 5);
  };
  const quiet = { from: hour(-2), to: hour(2) };
  await begin({ notifications: [connection.id] });
  await choose({ notifications: [connection.id], quiet });
  arrive(2);
  await look();
  expect(await notified()).toEqual([]);
  await choose({ notifications: [connection.id], quiet: { from: hour(2), to: hour(3) } });
  await look();
  expect(await notified()).toEqual(['2 new reports on remote.example']);
});

test("the badge shows the console's count plus new reports", async () => {
  await begin({ badge: true });
  const tell = (unreviewed: number) =>
    app.invoke('reports:unreviewed', {
      connectionId: connection.id,
      unreviewed,
      total: remote.reports.length,
    });
  await tell(2);
  expect((await desktop()).badge).toBe(2);
  arrive();
  await look();
  expect((await desktop()).badge).toBe(3);
  await tell(1);
  expect((await desktop()).badge).toBe(1);
  expect(await notified()).toEqual([]);
  await choose({});
  expect((await desktop()).badge).toBe(0);
});

test('the tray shows the state of the servers and is removed when disabled', async () => {
  const states = async () => (await desktop()).tray?.items.slice(1, -1);
  await begin({ tray: true });
  await expect.poll(states).toEqual(['remote.example: reachable', 'Local server: running']);
  expect((await desktop()).tray?.scales).toEqual([1, 1.25, 1.5, 2, 3]);
  await app.command('chooseTrayItem', { label: 'remote.example: reachable' });
  expect(await wanted()).toEqual({ connectionId: connection.id, shown: { kind: 'queue' } });

  remote.isFailing = true;
  await app.command('resume');
  await expect.poll(states).toEqual(['remote.example: unreachable', 'Local server: running']);
  expect((await desktop()).tray?.toolTip).toContain('remote.example: unreachable');
  remote.isFailing = false;
  await look();
  await expect.poll(states).toContain('remote.example: reachable');
  await choose({});
  expect((await desktop()).tray).toBe(undefined);
});

test('with background mode on, the app keeps running without a window, notifies, and reopens', async () => {
  await begin({ notifications: [connection.id], keepsRunning: true });
  await app.command('window', { action: 'close' });
  expect(await app.command('windows')).toEqual([]);
  arrive(2);
  await look();
  expect(await notified()).toEqual(['2 new reports on remote.example']);
  await app.command('notification', { title: '2 new reports on remote.example', action: 'click' });
  await expect.poll(async () => (await app.command('windows')).length).toBe(1);
  await app.reopen();
  expect(await wanted()).toEqual({ connectionId: connection.id, shown: { kind: 'queue' } });
});

test.skipIf(process.platform !== 'linux')('start at login is a desktop entry', async () => {
  expect((await choose({ startsAtLogin: true })).startsAtLogin).toBe(true);
  const entry = readFileSync(autostart, 'utf8');
  expect(entry).toMatch(
    /^\[Desktop Entry\]\nType=Application\nName=Gatehouse\nExec="[^"]+" "[^"]+" --at-login\n/,
  );
  expect(statSync(autostart).mode & 0o777).toBe(0o600);
  // Removes the entry outside of the app.
  rmSync(autostart);
  expect(await app.invoke('settings:read', undefined)).toMatchObject({ value: { startsAtLogin: false } });
  await choose({ startsAtLogin: true });
  // Desktop settings disable the entry but keep the file.
  appendFileSync(autostart, 'X-GNOME-Autostart-enabled=false\n');
  expect(await app.invoke('settings:read', undefined)).toMatchObject({ value: { startsAtLogin: false } });
  expect((await choose({ startsAtLogin: true })).startsAtLogin).toBe(true);
  expect(readFileSync(autostart, 'utf8')).toBe(entry);
  expect((await choose({})).startsAtLogin).toBe(false);
  expect(existsSync(autostart)).toBe(false);
});

test('a link from any source shows its target and does nothing else', async () => {
  remote.received.length = 0;
  const open = (url: string) => app.command('openUrl', { url });
  expect(await open('gatehouse://remote.example/report/7')).toEqual({ prevented: true });
  expect(await wanted()).toEqual({ connectionId: connection.id, shown: { kind: 'report', id: 7 } });
  await open(`gatehouse://${new URL(remote.url).host}/room/!a%3Aremote.example`);
  expect(await wanted()).toMatchObject({ shown: { kind: 'room', roomId: '!a:remote.example' } });

  const link = 'gatehouse://REMOTE.example/user/%40alice%3Aremote.example';
  const second = launchApp({ dist: shellAlone, profile: app.profile, environment, arguments: ['--', link] });
  expect(await second.ended).toBe(0);
  expect(await wanted()).toMatchObject({ shown: { kind: 'user', userId: '@alice:remote.example' } });
  expect(remote.received).toEqual([]);
  expect(app.openDialogs).toBe(0);
});

test.each([
  ['gatehouse://evil.example/report/1', "This link opens evil.example. You're not signed in there."],
  ['gatehouse://remote.example/delete/1', "Gatehouse can't open this link."],
  ['gatehouse:javascript:alert(1)', "Gatehouse can't open this link."],
  [`gatehouse://remote.example/report/${'1'.repeat(50_000)}`, "Gatehouse can't open this link."],
])('%.60s is reported as invalid once and shows nothing', async (url, message) => {
  remote.received.length = 0;
  await app.command('openUrl', { url });
  await app.command('openUrl', { url });
  const { options, answer } = await app.nextDialog();
  expect(options.message).toBe(message);
  expect(app.openDialogs).toBe(0);
  await answer('Close');
  expect(await wanted()).toBe(undefined);
  expect(remote.received).toEqual([]);
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
});

test.each([
  ['@admin:example.org', 'example.org'],
  ['@admin:[::1]:8448', '[::1]:8448'],
  ['@admin:<b>evil</b>', 'server.example:8448'],
  ['@admin:', 'server.example:8448'],
  ['no user at all', 'server.example:8448'],
])('%s is an admin of %s, where markup may be loaded', (userId, name) => {
  expect(plainServerName({ userId, baseUrl: 'https://server.example:8448' })).toBe(name);
});

test('without write access, notifications still work, and a warning says that settings are lost', async () => {
  await begin({ notifications: [connection.id] });
  for (const name of ['told-reports.json', 'settings.json']) {
    rmSync(join(app.profile, name));
    mkdirSync(join(app.profile, name, 'in-the-way'), { recursive: true });
  }
  try {
    arrive();
    await look();
    expect(await notified()).toEqual(['New report on remote.example']);
    await look();
    expect(await notified()).toHaveLength(1);
    expect(await app.invoke('settings:write', { ...nothingChosen, badge: true })).toMatchObject({
      ok: false,
      failure: { code: 'refused', sentence: expect.stringContaining('lasts until you quit') },
    });
    expect(await app.invoke('settings:read', undefined)).toMatchObject({ value: { badge: true } });
  } finally {
    for (const name of ['told-reports.json', 'settings.json']) {
      rmSync(join(app.profile, name), { recursive: true });
    }
  }
  await choose({});
  expect(existsSync(join(app.profile, 'settings.json'))).toBe(true);
});

test("notifications aren't repeated after a restart, and missed reports are", async () => {
  await begin({ notifications: [connection.id] });
  arrive();
  await look();
  expect(await notified()).toHaveLength(1);
  await app.quit();
  const kept = readdirSync(app.profile).filter((name) => name.endsWith('.json'));
  expect(kept.sort()).toEqual(['connection-looks.json', 'settings.json', 'told-reports.json', 'window.json']);
  for (const name of ['settings.json', 'told-reports.json']) {
    const file = join(app.profile, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(remote.tokens[0]);
  }
  arrive(2);
  // After an update or a move, the autostart entry refers to another program.
  mkdirSync(dirname(autostart), { recursive: true });
  writeFileSync(autostart, '[Desktop Entry]\nExec="/gone/Gatehouse-0.0.9.AppImage" --at-login\n');
  app = await startApp({ dist: shellAlone, profile: app.profile, environment });
  if (process.platform === 'linux') expect(readFileSync(autostart, 'utf8')).toContain(process.execPath);
  rmSync(autostart);
  await expect.poll(notified).toEqual(['2 new reports on remote.example']);
  await look();
  expect(await notified()).toEqual(['2 new reports on remote.example']);
});

test('an ended session is reported once and not polled', async () => {
  await begin({ tray: true });
  remote.endSessions();
  const before = looks();
  await app.command('resume');
  await expect.poll(async () => (await desktop()).tray?.items).toContain('remote.example: signed out');
  for (let times = 0; times < 20; times++) await desktop();
  // One poll may already have been in flight.
  expect(looks()).toBeLessThanOrEqual(before + 2);
});

test("a signed-out server isn't polled", async () => {
  connection = await signInAgain();
  await begin({ notifications: [connection.id], badge: true, tray: true });
  arrive();
  await look();
  expect(await notified()).toHaveLength(1);
  await app.invoke('connections:remove', { connectionId: connection.id });
  expect(await desktop()).toMatchObject({ badge: 0, notifications: [], tray: { items: expect.any(Array) } });
  expect(await app.invoke('settings:read', undefined)).toMatchObject({ value: { notifications: [] } });
  remote.received.length = 0;
  await app.command('resume');
  await app.invoke('connections:list', undefined);
  expect(remote.received).toEqual([]);
  expect(readFileSync(join(app.profile, 'told-reports.json'), 'utf8')).not.toContain(connection.id);
});

test('start at login opens no window in background mode, and broken settings are set aside', async () => {
  await choose({ keepsRunning: true });
  await app.quit();
  const hidden = launchApp({
    dist: shellAlone,
    profile: app.profile,
    environment,
    arguments: ['--at-login'],
  });
  // The app is running, and a second start shows its window.
  await expect.poll(() => hidden.command('windows')).toEqual([]);
  await expect.poll(() => existsSync(join(app.profile, 'SingletonSocket'))).toBe(true);
  const second = launchApp({ dist: shellAlone, profile: app.profile, environment });
  expect(await second.ended).toBe(0);
  await hidden.open();
  await hidden.quit();

  writeFileSync(join(app.profile, 'settings.json'), '{"keepsRunning": "yes"}');
  app = await startApp({ dist: shellAlone, profile: app.profile, environment });
  expect(await app.invoke('settings:read', undefined)).toEqual({ ok: true, value: nothingChosen });
  expect(existsSync(join(app.profile, 'settings.json.unreadable'))).toBe(true);
});

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import type { LocalServerState } from '../../shared/bridge.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { type App, launchApp, newProfile, startApp } from './app.ts';
import { builtShell } from './build.ts';

/** Subscribes to the server's states in the page, as the console does. Returns the states so far. */
async function watchStates(app: App) {
  const watched = await app.page.evaluateHandle(() => {
    const states: LocalServerState[] = [];
    window.gatehouse?.listen('local-server:changed', (state) => states.push(state));
    return states;
  });
  return {
    untilThereAre: (count: number, status: LocalServerState['status']) =>
      app.page.waitForFunction(
        ([states, least, wanted]) => states.filter((state) => state.status === wanted).length >= least,
        [watched, count, status] as const,
      ),
    all: () => watched.jsonValue(),
  };
}

/** Waits until the server is running and returns its URL. */
async function running(app: App): Promise<string> {
  const states = await watchStates(app);
  const now = await app.invoke('local-server:state', undefined);
  if (now.ok && now.value.url) return now.value.url;
  await states.untilThereAre(1, 'running');
  return (await states.all()).findLast(({ url }) => url)?.url ?? '';
}

async function processId(app: App): Promise<number> {
  const [child] = await app.command('utilityProcesses');
  if (!child?.pid) throw new Error('There is no homeserver process');
  return child.pid;
}

/** Signals both processes. A terminal signals its process group, and a desktop signals all processes of the session. */
const signalAll = (signal: 'SIGINT' | 'SIGHUP' | 'SIGTERM') => async (app: App) => {
  process.kill(await processId(app), signal);
  app.process.kill(signal);
};

/** Each is used by a test below. */
const quitBy = {
  menu: (app: App) => app.command('quit'),
  lastWindow: (app: App) => app.command('window', { action: 'close' }),
  interrupt: signalAll('SIGINT'),
  endOfTerminal: signalAll('SIGHUP'),
  endOfSession: signalAll('SIGTERM'),
};

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Quitting stops the homeserver before the app exits. */
async function endsCleanly(app: App, quit: (app: App) => Promise<unknown>): Promise<void> {
  const url = await running(app);
  const pid = await processId(app);
  await quit(app);
  expect(await app.ended).toBe(0);
  expect(isAlive(pid)).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
  // The server shut down cleanly: the database is closed.
  expect(existsSync(join(app.profile, 'homeserver/homeserver.db-wal'))).toBe(false);
}

describe('while the app runs', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.dispose());

  test('many requests can wait for the start', async () => {
    const outcomes = await app.page.evaluate(() =>
      Promise.all(
        Array.from({ length: 15 }, () => window.gatehouse?.invoke('connections:add-local', undefined)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome?.ok)).toHaveLength(15);
    expect(app.output).not.toContain('Warning');
  });

  test('the homeserver runs in its own process on loopback, with its data in the profile', async () => {
    const url = await running(app);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/_chat/client/versions`)).status).toBe(200);
    expect(await processId(app)).not.toBe(app.process.pid);
    expect(existsSync(join(app.profile, 'homeserver/homeserver.db'))).toBe(true);
  });

  test('the local server needs no password, and its session is resumed', async () => {
    const first = await app.invoke('connections:add-local', undefined);
    expect(first).toMatchObject({ ok: true, value: { local: true, dialect: 'vendor' } });
    expect(await app.invoke('connections:add-local', undefined)).toEqual(first);
    expect(app.openDialogs).toBe(0);
  });

  test('the log can be found, and copied diagnostics contain no secrets or addresses', async () => {
    await app.command('chooseMenuItem', { id: 'show-log' });
    const [log = ''] = await app.command('shownInFolder');
    expect(log).toBe(join(app.profile, 'logs/gatehouse.log'));
    expect(readFileSync(log, 'utf8')).toContain('started');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    await app.command('chooseMenuItem', { id: 'copy-diagnostics' });
    const copied = await app.command('copied');
    expect(copied).toMatch(/^Gatehouse \S+, not packaged\n/);
    expect(copied).toContain('Local server: running');
    expect(copied).toContain('Sessions: 1, encrypted');
    expect(copied).not.toMatch(/127\.0\.0\.1|@admin/);
  });

  test('a crash is noticed, backed off and recovered, and the session continues', async () => {
    const added = await app.invoke('connections:add-local', undefined);
    if (!added.ok) throw new Error(added.failure.message);
    const states = await watchStates(app);

    process.kill(await processId(app), 'SIGKILL');
    await states.untilThereAre(1, 'running');
    expect((await states.all()).map(({ status }) => status)).toEqual(['restarting', 'restarting', 'running']);
    expect((await states.all())[0]?.message?.sentence).toContain('crashed');
    const path = '/_service/admin/v1/event_reports';
    const reply = await app.invoke('request', { connectionId: added.value.id, method: 'GET', path });
    expect(reply).toMatchObject({ ok: true, value: { status: 200 } });
  });

  test('requests to a stopped server say where to start it, and that starts it', async () => {
    await running(app);
    await app.invoke('local-server:stop', undefined);
    expect(await app.invoke('connections:add-local', undefined)).toMatchObject({
      failure: {
        code: 'unreachable',
        message: "The local server isn't running. Choose “Start or restart” in the “Local server” menu.",
      },
    });
    const items = await app.command('menuItems');
    const { id = '' } = items.find(({ label }) => label === 'Start or restart') ?? {};
    await app.command('chooseMenuItem', { id });
    await running(app);
  });

  test('a V8 fault is reported with its position and recovered, and its report stays out of the log', async () => {
    await running(app);
    const states = await watchStates(app);
    await app.command('failUtilityProcess', { location: 'Heap::AllocateRaw' });
    await states.untilThereAre(1, 'running');
    expect((await states.all())[0]).toMatchObject({
      status: 'restarting',
      message: { values: { code: expect.stringContaining('FatalError, Heap::AllocateRaw') } },
    });
    expect(app.output).toContain('Heap::AllocateRaw');
    expect(app.output).not.toContain('environmentVariables');
  });

  test('a sign-in during a restart waits for it', async () => {
    await running(app);
    const added = await app.page.evaluate(async () => {
      const restarted = window.gatehouse?.invoke('local-server:restart', undefined);
      const reply = await window.gatehouse?.invoke('connections:add-local', undefined);
      await restarted;
      return reply;
    });
    expect(added).toMatchObject({ ok: true, value: { local: true } });
    await running(app);
  });

  test('simultaneous restarts are merged and leave one server', async () => {
    await running(app);
    const states = await watchStates(app);
    // All three in the same task: sequential calls could arrive after the first restart has finished.
    await app.page.evaluate(() =>
      Promise.all([1, 2, 3].map(() => window.gatehouse?.invoke('local-server:restart', undefined))),
    );
    await states.untilThereAre(1, 'running');
    // On a busy computer, one of them can arrive while the server is already starting, which restarts it.
    const starts = (await states.all()).filter(({ status }) => status === 'starting');
    expect(starts.length).toBeLessThan(3);
    expect(await app.command('utilityProcesses')).toHaveLength(1);
  });

  test('sample data is added after confirmation', async () => {
    const added = await app.invoke('connections:add-local', undefined);
    if (!added.ok) throw new Error(added.failure.message);
    const reports = async () => {
      const path = '/_service/admin/v1/event_reports?limit=1';
      const reply = await app.invoke('request', { connectionId: added.value.id, method: 'GET', path });
      return reply.ok ? (reply.value.body as { total: number }).total : undefined;
    };
    await app.command('chooseMenuItem', { id: 'add-sample-data' });
    await (await app.nextDialog()).answer('Cancel');
    expect(await reports()).toBe(0);

    await app.command('chooseMenuItem', { id: 'add-sample-data' });
    await (await app.nextDialog()).answer('Add');
    const done = await app.nextDialog();
    expect(done.options).toMatchObject({ type: 'info', detail: expect.stringContaining('250 reports') });
    expect(await reports()).toBe(250);
  });
});

test.concurrent('after a restart the local connection uses the new address', async () => {
  await using app = await startApp();
  const added = await app.invoke('connections:add-local', undefined);
  if (!added.ok) throw new Error(added.failure.message);
  await endsCleanly(app, quitBy.menu);

  await using again = await startApp({ profile: app.profile });
  // Both wait for the start.
  const path = '/_service/admin/v1/event_reports';
  const [reply, listed] = await Promise.all([
    again.invoke('request', { connectionId: added.value.id, method: 'GET', path }),
    again.invoke('connections:list', undefined),
  ]);
  expect(reply).toMatchObject({ ok: true, value: { status: 200 } });
  const state = await again.invoke('local-server:state', undefined);
  expect(state).toMatchObject({ ok: true, value: { status: 'running' } });
  const url = state.ok ? state.value.url : undefined;
  expect(listed).toEqual({ ok: true, value: [{ ...added.value, baseUrl: url }] });
  await endsCleanly(again, quitBy.lastWindow);
});

test.concurrent('a server that keeps crashing is given up, reported, and starts on request', async () => {
  await using app = await startApp();
  await running(app);
  const states = await watchStates(app);
  // Each as soon as it exists: only crashes within a minute count.
  let killed = 0;
  for (let crash = 1; crash <= 5; crash++) {
    const next = await until(async () => {
      const pid = await processId(app);
      expect(pid).not.toBe(killed);
      return pid;
    });
    process.kill(next, 'SIGKILL');
    killed = next;
  }
  await states.untilThereAre(1, 'failed');
  const log = readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8');
  expect(log.match(/local server: crashed/g)).toHaveLength(5);
  expect(log).toContain('not restarted automatically');
  const outcome = await app.invoke('local-server:state', undefined);
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      status: 'failed',
      message: { sentence: expect.stringMatching(/keeps crashing.* Start it to retry\.$/) },
    },
  });
  expect(await app.command('utilityProcesses')).toEqual([]);
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({
    ok: false,
    failure: { code: 'unreachable', message: expect.stringContaining('keeps crashing') },
  });

  expect(await app.invoke('local-server:restart', undefined)).toEqual({ ok: true, value: undefined });
  await endsCleanly(app, quitBy.interrupt);
});

test.concurrent('deleted data is reported, and the server starts empty only on request', async () => {
  await using app = await startApp();
  await running(app);
  const states = await watchStates(app);
  const data = join(app.profile, 'homeserver');
  rmSync(data, { recursive: true });
  await states.untilThereAre(1, 'failed');
  const [state, ...rest] = await states.all();
  expect(rest).toEqual([]);
  expect(state?.message?.sentence).toMatch(/its data was removed.*Restore the data/);
  expect(state?.message?.values?.reason).toMatch(/^\S+ was removed or replaced$/);
  expect(readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8')).toMatch(
    /data was removed.*removed or replaced/,
  );
  expect(await app.command('utilityProcesses')).toEqual([]);
  expect(existsSync(data)).toBe(false);

  expect(await app.invoke('local-server:start', undefined)).toEqual({ ok: true, value: undefined });
  await endsCleanly(app, quitBy.endOfTerminal);
});

test.concurrent('an invalid configuration is reported at once and not retried', async () => {
  const profile = newProfile();
  mkdirSync(join(profile, 'homeserver'));
  const settings = join(profile, 'homeserver/homeserver.yaml');
  writeFileSync(settings, 'jwt_config:\n  enabled: 7\n');
  await using app = await startApp({ profile });
  const states = await watchStates(app);
  const now = await app.invoke('local-server:state', undefined);
  if (!now.ok || now.value.status !== 'failed') await states.untilThereAre(1, 'failed');
  const outcome = await app.invoke('local-server:state', undefined);
  expect(outcome).toMatchObject({
    value: { message: { values: { reason: expect.stringContaining('jwt_config.enabled') } } },
  });

  writeFileSync(settings, '# all as it comes\n');
  // The failed start isn't a crash.
  expect(existsSync(join(profile, 'logs/crashes'))).toBe(false);
  await app.command('chooseMenuItem', { id: 'restart-local-server' });
  await endsCleanly(app, quitBy.endOfSession);
});

test.concurrent('an invalid port is reported at once', async () => {
  await using app = await startApp({ arguments: ['--port=http'] });
  const states = await watchStates(app);
  const now = await app.invoke('local-server:state', undefined);
  if (!now.ok || now.value.status !== 'failed') await states.untilThereAre(1, 'failed');
  const outcome = await app.invoke('local-server:state', undefined);
  expect(outcome).toMatchObject({
    value: { message: { values: { reason: expect.stringContaining("'http' is not a port") } } },
  });
});

test.concurrent('listens on the configured addresses or reports unusable ones', async () => {
  const profile = newProfile();
  mkdirSync(join(profile, 'homeserver'));
  const settings = join(profile, 'homeserver/homeserver.yaml');
  const [first, second] = [await freePort(), await freePort()];
  const listeners = [
    { port: first, type: 'http', bind_addresses: ['127.0.0.2'] },
    { port: second, type: 'http', bind_addresses: ['127.0.0.1', '::1'] },
  ];
  writeFileSync(settings, JSON.stringify({ listeners }));
  await using app = await startApp({ profile });
  await running(app);
  expect(await app.invoke('local-server:state', undefined)).toMatchObject({
    value: {
      url: `http://127.0.0.2:${first}`,
      addresses: [`http://127.0.0.2:${first}`, `http://127.0.0.1:${second}`, `http://[::1]:${second}`],
      isOpen: false,
    },
  });
  expect((await fetch(`http://[::1]:${second}/_chat/client/versions`)).status).toBe(200);

  const states = await watchStates(app);
  // Binds all addresses: the app connects over loopback, and other machines can use the others.
  writeFileSync(settings, JSON.stringify({ listeners: [{ port: first, bind_addresses: ['0.0.0.0'] }] }));
  await app.invoke('local-server:restart', undefined);
  await states.untilThereAre(1, 'running');
  expect((await states.all()).at(-1)).toMatchObject({ url: `http://127.0.0.1:${first}`, isOpen: true });

  writeFileSync(settings, JSON.stringify({ listeners: [{ port: first, bind_addresses: ['192.0.2.1'] }] }));
  await app.invoke('local-server:restart', undefined);
  await states.untilThereAre(1, 'failed');
  expect((await states.all()).at(-1)?.message?.values?.reason).toMatch(/listeners.*127\.0\.0\.1/);
});

test.concurrent('a hanging start can be canceled and repeated', async () => {
  const dist = mkdtempSync(join(projectRoot, 'dist/hanging-'));
  try {
    cpSync(builtShell, dist, { recursive: true });
    const child = join(dist, 'electron/homeserver-child.js');
    renameSync(child, join(dist, 'electron/real-child.js'));
    // A server that hangs once, before it listens.
    const hangOnce = `import { existsSync, writeFileSync } from 'node:fs';
      const marker = new URL('hung', import.meta.url);
      if (existsSync(marker)) await import('./real-child.js');
      else { process.stderr.write('password: hunter2\\n'); writeFileSync(marker, ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }`;
    writeFileSync(child, hangOnce);
    await using app = await startApp({ dist });
    await until(() => expect(existsSync(join(dist, 'electron/hung'))).toBe(true));
    const hanging = await processId(app);
    // The server's output is logged, with secrets redacted.
    const log = join(app.profile, 'logs/gatehouse.log');
    await until(() => expect(readFileSync(log, 'utf8')).toContain('local server: password: [secret]'));
    await app.invoke('local-server:restart', undefined);
    await running(app);
    expect(isAlive(hanging)).toBe(false);
  } finally {
    rmSync(dist, { recursive: true });
  }
});

test.concurrent('quitting while the keychain waits for its unlock stops the homeserver first', async () => {
  await using app = launchApp({ settings: { encryption: 'asking' } });
  const data = join(app.profile, 'homeserver/homeserver.db');
  await until(() => expect(existsSync(`${data}-wal`)).toBe(true));
  app.process.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expect(existsSync(data)).toBe(true);
  expect(existsSync(`${data}-wal`)).toBe(false);
});

test.concurrent("a hanging homeserver doesn't keep the app from exiting", async () => {
  await using app = await startApp();
  await running(app);
  const pid = await processId(app);
  process.kill(pid, 'SIGSTOP');
  expect(await app.quit()).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

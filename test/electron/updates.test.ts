/** Updates from a loopback feed, for an AppImage that's a script. */
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import { type App, newProfile, startApp } from './app.ts';
import { builtShell, shellAlone } from './build.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-updates-'));
const installed = join(root, 'Gatehouse.AppImage');
/** Path of the running app, different from the one that the system knows. */
const unpacked = join(root, 'unpacked');
const old = 'the old one';
const newer = '#!/bin/sh\nthe new one\n';

const [keys, others] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];

const feed = {
  version: '0.2.0',
  announced: newer,
  served: newer as string | Readable,
  /** Overrides for the file's entry in the feed. */
  file: {} as Record<string, unknown>,
  /** Content of a second file in the feed. */
  another: undefined as string | undefined,
  signedBy: keys.privateKey as KeyObject | undefined,
  /** File name in the signature. */
  name: 'latest-linux.yml',
  /** Modifies the feed after it was signed. */
  changed: (text: string) => text,
  asked: [] as string[],
  /** Names of all received request headers. */
  headers: [] as string[],
  /** Replies by path, in place of the usual ones. */
  instead: {} as Record<string, (response: ServerResponse) => void>,
  /** Replies wait for this promise. */
  open: Promise.resolve(),
};
/** Returns a reply without a content length that doesn't end while it's read. It becomes idle after a long time. */
const endless = () =>
  Readable.from(
    (async function* () {
      for (let piece = 0; piece < 1000; piece++) yield Buffer.alloc(64 * 1024, '#');
      await new Promise(() => {});
    })(),
  );

/** A YAML bomb: 400 bytes of aliases that expand to gigabytes in the file's URL. */
const nested = `version: 0.2.0\na0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}files: [{ url: *a30, sha512: x }]\n`;

const fileOf = (url: string, content: string) => ({
  url,
  sha512: createHash('sha512').update(content).digest('base64'),
  size: Buffer.byteLength(content),
});

const server = createServer(async (request, response) => {
  const path = request.url?.split('?', 1)[0] ?? '';
  feed.asked.push(path);
  feed.headers.push(...Object.keys(request.headers));
  await feed.open;
  const instead = feed.instead[path];
  if (instead) return instead(response);
  if (path === '/latest-linux.yml') {
    const file = { ...fileOf('Gatehouse-0.2.0.AppImage', feed.announced), ...feed.file };
    const files = [file];
    if (feed.another !== undefined) files.push(fileOf('Gatehouse-0.2.0.deb', feed.another));
    const { url, ...sums } = file;
    const text = `${JSON.stringify({ version: feed.version, files, path: url, ...sums })}\n`;
    const signature =
      feed.signedBy && sign(null, Buffer.from(`Gatehouse ${feed.name}\n${text}`), feed.signedBy);
    response.end(feed.changed(signature ? `${text}# signature: ${signature.toString('base64')}\n` : text));
  } else if (path === '/Gatehouse-0.2.0.AppImage') {
    if (typeof feed.served === 'string') response.end(feed.served);
    else await pipeline(feed.served, response).catch(() => {});
  } else response.writeHead(404).end();
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  mkdirSync(join(root, 'resources'));
  symlinkSync(root, unpacked);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = { provider: 'generic', url, updaterCacheDirName: 'gatehouse-updater' };
  writeFileSync(join(root, 'resources/app-update.yml'), JSON.stringify(settings));
  writeFileSync(
    join(root, 'resources/update-key.pem'),
    keys.publicKey.export({ type: 'spki', format: 'pem' }),
  );
});
// A package from an earlier test would be reused instead of downloaded.
beforeEach(() => rmSync(join(root, 'cache'), { recursive: true, force: true }));
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

const start = (
  environment: Record<string, string>,
  profile = newProfile(),
  resources = join(root, 'resources'),
  dist = shellAlone,
  version = '0.1.0',
) =>
  startApp({
    dist,
    profile,
    settings: { packaged: true, resources, version },
    environment: { XDG_CACHE_HOME: join(root, 'cache'), APPDIR: unpacked, ...environment },
  });

const askForUpdates = (app: App) => app.command('chooseMenuItem', { id: 'check-for-updates' });

/** Sets up an installed app and a feed with the given changes. */
function offer(change: Partial<typeof feed>) {
  // Keeps an existing file in place: the app treats a replaced file as a change by another program.
  if (!statSync(installed, { throwIfNoEntry: false })?.isFile() || readFileSync(installed, 'utf8') !== old) {
    rmSync(installed, { recursive: true, force: true });
    writeFileSync(installed, old);
  }
  Object.assign(
    feed,
    {
      version: '0.2.0',
      announced: newer,
      served: newer,
      file: {},
      another: undefined,
      signedBy: keys.privateKey,
      name: 'latest-linux.yml',
      changed: (text: string) => text,
      asked: [],
      headers: [],
      instead: {},
      open: Promise.resolve(),
    },
    change,
  );
}

/** Path of the downloaded update. */
const cached = join(root, 'cache/gatehouse-updater/pending/Gatehouse-0.2.0.AppImage');

/** Starts an app and downloads an update that installs on quit. */
async function startWithUpdate(
  change: Partial<typeof feed> = {},
  file = installed,
  dist = shellAlone,
): Promise<App> {
  offer(change);
  const app = await start({ APPIMAGE: file }, newProfile(), join(root, 'resources'), dist);
  await (await app.nextDialog()).answer('Download');
  await (await app.nextDialog()).answer('Close');
  return app;
}

const startWithServer = () => startWithUpdate({}, installed, builtShell);

/** Adds unfinished work to the local server's database. */
async function putToWork(app: App, begin: string): Promise<void> {
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const database = new Database(join(app.profile, 'homeserver/homeserver.db'));
  database.exec(begin);
  database.close();
}
const activeTask =
  "INSERT INTO scheduled_tasks (id, action, status, timestamp_ms, params) VALUES ('t', 'unknown', 'active', 0, '{}')";

const fileWasAsked = () => feed.asked.some((path) => path.endsWith('.AppImage'));

test.skipIf(process.platform !== 'linux')(
  'updates are announced, verified, and installed at quit',
  async () => {
    const gate = Promise.withResolvers<void>();
    offer({ version: '0.0.9', open: gate.promise });
    const app = await start({ APPIMAGE: installed });
    try {
      // The check at startup is silent. A manual check that joins it shows the result.
      await expect.poll(() => feed.asked.length).toBe(1);
      await askForUpdates(app);
      gate.resolve();
      const none = await app.nextDialog();
      expect(feed.asked).toHaveLength(1);
      expect(none.options.message).toContain('up to date');
      await none.answer('Close');
      expect(fileWasAsked()).toBe(false);

      offer({ served: newer.replace('new', 'nwe') });
      await askForUpdates(app);
      const offered = await app.nextDialog();
      expect(offered.options).toMatchObject({ message: 'Download Gatehouse 0.2.0?' });
      expect(fileWasAsked()).toBe(false);
      await askForUpdates(app);
      const open = await app.nextDialog();
      expect(open.options.message).toContain('already asks whether to download Gatehouse 0.2.0');
      await open.answer('Close');
      await offered.answer('Download');
      const tampered = await app.nextDialog();
      expect(tampered.options).toMatchObject({
        type: 'error',
        message: expect.stringContaining("wasn't installed"),
      });
      await tampered.answer('Close');

      offer({});
      await askForUpdates(app);
      const again = await app.nextDialog();
      const download = Promise.withResolvers<void>();
      feed.open = download.promise;
      await again.answer('Download');
      await expect.poll(fileWasAsked).toBe(true);
      await askForUpdates(app);
      const meanwhile = await app.nextDialog();
      expect(meanwhile.options.message).toBe('Downloading Gatehouse 0.2.0…');
      await meanwhile.answer('Close');
      download.resolve();
      // Once downloaded, the update isn't offered again. The notice stays open, and each manual check is answered.
      for (let times = 0; times < 2; times++) {
        const ready = await app.nextDialog();
        expect(ready.options.message).toContain('when you quit');
        if (times === 0) await askForUpdates(app);
      }
      // No header identifies the installation.
      expect(new Set(feed.headers)).not.toContainEqual(expect.stringMatching(/^x-/));
      expect(readFileSync(installed, 'utf8')).toBe(old);
      expect(await app.quit(), app.output).toBe(0);
      expect(readFileSync(installed, 'utf8'), app.output).toBe(newer);
      expect(statSync(installed).mode & 0o777).toBe(0o744);
      expect(readdirSync(root)).not.toContainEqual(expect.stringContaining('.new'));
    } finally {
      await app.dispose();
    }
  },
);

test.skipIf(process.platform !== 'linux')(
  "a newer download that doesn't match its announcement removes the previous one",
  async () => {
    await using app = await startWithUpdate();
    offer({ version: '0.3.0', served: 'something else' });
    await askForUpdates(app);
    await (await app.nextDialog()).answer('Download');
    const tampered = await app.nextDialog();
    expect(tampered.options).toMatchObject({
      message: expect.stringContaining("wasn't installed"),
      detail: "Gatehouse 0.2.0 won't be installed either. It was replaced by the newer download.",
    });
    await tampered.answer('Close');
    // Simulates a withdrawn release: the previous one is offered again and isn't downloaded yet.
    offer({});
    await askForUpdates(app);
    const offered = await app.nextDialog();
    expect(offered.options.message).toBe('Download Gatehouse 0.2.0?');
    await offered.answer('Not now');
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
  },
);

describe.skipIf(process.platform !== 'linux')("an update that can't be installed", () => {
  test('because another is being downloaded at quit leaves the app unchanged, and the next start reports it', async () => {
    await using app = await startWithUpdate();
    const gate = Promise.withResolvers<void>();
    offer({ version: '0.3.0' });
    await askForUpdates(app);
    const offered = await app.nextDialog();
    feed.open = gate.promise;
    await offered.answer('Download');
    await expect.poll(fileWasAsked).toBe(true);
    expect(await app.quit()).toBe(0);
    gate.resolve();
    expect(readFileSync(installed, 'utf8')).toBe(old);
    await using next = await start({ APPIMAGE: installed }, app.profile);
    expect((await next.nextDialog()).options).toMatchObject({
      message: 'Download Gatehouse 0.3.0?',
      detail: expect.stringContaining("couldn't be installed when you quit"),
    });
  });

  test('because its file is gone leaves the app unchanged, and the next start reports it', async () => {
    await using app = await startWithUpdate();
    rmSync(join(root, 'cache'), { recursive: true });
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
    await using next = await start({ APPIMAGE: installed }, app.profile);
    expect((await next.nextDialog()).options.detail).toContain("couldn't be installed when you quit");
  });

  test('because the app was killed during the installation leaves it unchanged, and the next start reports it', async () => {
    await using app = await startWithUpdate();
    rmSync(cached);
    // Reading from the FIFO blocks.
    execFileSync('mkfifo', [cached]);
    await app.command('quit');
    await expect.poll(() => app.command('utilityProcesses')).toEqual([]);
    app.process.kill('SIGKILL');
    await app.ended;
    rmSync(cached);
    expect(readFileSync(installed, 'utf8')).toBe(old);
    await using next = await start({ APPIMAGE: installed }, app.profile);
    expect((await next.nextDialog()).options.detail).toContain("couldn't be installed when you quit");
  });

  test('because its file was replaced leaves the app unchanged', async () => {
    await using app = await startWithUpdate();
    writeFileSync(cached, 'something else');
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
    expect(readdirSync(root)).not.toContainEqual(expect.stringContaining('.new'));
  });

  test('because its file was replaced by another offered file leaves the app unchanged', async () => {
    await using app = await startWithUpdate({ another: 'a package of another kind' });
    writeFileSync(cached, 'a package of another kind');
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
  });

  test('because the user replaced the app leaves that unchanged', async () => {
    await using app = await startWithUpdate();
    writeFileSync(installed, 'a newer one still');
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe('a newer one still');
    expect(app.output).toContain("couldn't install 0.2.0");
  });

  test('the location of the app is reported once on request', async () => {
    offer({});
    rmSync(installed);
    mkdirSync(installed);
    const told = {
      type: 'warning',
      message: expect.stringContaining("can't be installed"),
    };
    await using app = await start({ APPIMAGE: installed });
    expect((await app.nextDialog()).options).toMatchObject(told);
    expect(await app.quit()).toBe(0);
    offer({});
    rmSync(installed);
    mkdirSync(installed);
    await using next = await start({ APPIMAGE: installed }, app.profile);
    const log = () => readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8');
    await expect.poll(() => log().match(/can't install 0\.2\.0/g)).toHaveLength(2);
    // The next update is reported again, with no notice in between.
    offer({ version: '0.3.0' });
    rmSync(installed);
    mkdirSync(installed);
    await askForUpdates(next);
    expect((await next.nextDialog()).options).toMatchObject({
      ...told,
      message: expect.stringContaining('0.3.0'),
    });
    expect(next.openDialogs).toBe(0);
    expect(fileWasAsked()).toBe(false);
  });

  test("that belongs to another program's AppImage isn't looked for", async () => {
    offer({});
    await using app = await start({ APPIMAGE: installed, APPDIR: join(root, 'another') });
    const ids = (await app.command('menuItems')).flatMap(({ id }) => id ?? []);
    expect(ids).not.toContain('check-for-updates');
    expect(feed.asked).toEqual([]);
  });

  test('that is older than the app changes nothing', async () => {
    offer({ version: '0.3.0' });
    await using app = await start({ APPIMAGE: installed });
    await (await app.nextDialog()).answer('Download');
    await (await app.nextDialog()).answer('Close');
    offer({ announced: 'an older one', served: 'an older one' });
    await askForUpdates(app);
    expect((await app.nextDialog()).options.message).toBe('Gatehouse 0.3.0 will be installed when you quit.');
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(newer);
  });
});

describe.skipIf(process.platform !== 'linux')('from a faulty or hostile update server', () => {
  let app: App;
  beforeAll(async () => {
    offer({ version: '0.0.9' });
    app = await start({ APPIMAGE: installed });
  });
  afterAll(async () => {
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
    await app.dispose();
  });

  const package_ = '/Gatehouse-0.2.0.AppImage';
  const feedFile = '/latest-linux.yml';
  test.each<[string, string, (response: ServerResponse) => void, string]>([
    [
      'a feed that never ends',
      feedFile,
      (to) => void pipeline(endless(), to).catch(() => {}),
      "Couldn't check",
    ],
    [
      'a redirect to itself',
      feedFile,
      (to) => to.writeHead(302, { location: feedFile }).end(),
      "Couldn't check",
    ],
    [
      'a reply that takes long to log',
      feedFile,
      (to) => to.writeHead(500).end('a.'.repeat(400_000)),
      "Couldn't check",
    ],
    [
      'a package that redirects to itself',
      package_,
      (to) => to.writeHead(302, { location: package_ }).end(),
      "Couldn't download",
    ],
    [
      'an invalid address',
      package_,
      (to) => to.writeHead(302, { location: 'http://[' }).end(),
      "Couldn't download",
    ],
    [
      'a package with an invalid address',
      package_,
      (to) => to.writeHead(200, { location: 'http://[' }).end(newer),
      "Couldn't download",
    ],
    [
      'a file of this machine',
      package_,
      (to) => to.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      "Couldn't download",
    ],
  ])('%s is given up, and the app continues', async (_, path, answer, said) => {
    offer({ instead: { [path]: answer } });
    await askForUpdates(app);
    if (path === package_) await (await app.nextDialog()).answer('Download');
    const told = await app.nextDialog();
    expect(told.options).toMatchObject({ type: 'error', message: expect.stringContaining(said) });
    await told.answer('Close');
  });

  test('an endless file is aborted when it exceeds the announced size', async () => {
    const served = endless();
    offer({ served });
    await askForUpdates(app);
    await (await app.nextDialog()).answer('Download');
    const told = await app.nextDialog();
    expect(told.options).toMatchObject({
      type: 'error',
      message: expect.stringContaining("doesn't match the announced update"),
    });
    await told.answer('Close');
    // The app stops reading the reply and deletes the partial file.
    await expect.poll(() => served.destroyed).toBe(true);
    await expect.poll(() => readdirSync(join(root, 'cache/gatehouse-updater/pending'))).toEqual([]);
  });

  test.each<[string, Partial<typeof feed>]>([
    ['a version between spaces', { version: ' 0.2.0 ' }],
    ['a version with a letter before it', { version: 'v0.2.0' }],
    ['a version of two numbers', { version: '0.2' }],
    ['a pre-release version', { version: '0.2.0-beta.1' }],
    ['a version of a build', { version: '0.2.0+build' }],
    ['a version with a line of its own', { version: '0.2.0\n' }],
    ['a file without a size', { file: { size: undefined } }],
    ['a file with a size as text', { file: { size: '100' } }],
    ['a file larger than any package', { file: { size: 2 ** 40 } }],
    ['a file without a checksum of the strong kind', { file: { sha512: undefined, sha2: '00' } }],
    ['a file in another place', { file: { url: 'https://example.org/Gatehouse-0.2.0.AppImage' } }],
    ['a file in another folder', { file: { url: '../Gatehouse-0.2.0.AppImage' } }],
    ['a file with a hidden name', { file: { url: '.bashrc' } }],
    ['an unsigned one', { signedBy: undefined }],
    ['one with a foreign signature', { signedBy: others.privateKey }],
    ['one of another platform', { name: 'latest-mac.yml' }],
    ['one of another processor', { name: 'latest-linux-arm64.yml' }],
    [
      'another file than the one that was signed',
      { changed: (text) => text.replaceAll(/"sha512":"./g, '"sha512":"#') },
    ],
    [
      'another name than the one that was signed',
      { changed: (text) => text.replaceAll('0.2.0.App', '0.1.9.App') },
    ],
    ['one that few are to have', { changed: (text) => text.replace('{', '{"stagingPercentage":0,') }],
    ['one for a later system', { changed: (text) => text.replace('{', '{"minimumSystemVersion":"99.0.0",') }],
    ['one with additional text at the end', { changed: (text) => `${text}# More\n` }],
    ['one that becomes endless when it is read', { changed: () => nested }],
    ['an empty one', { changed: () => '' }],
  ])('a feed is refused that is not a release of this app: %s', async (_, odd) => {
    offer(odd);
    await askForUpdates(app);
    const told = await app.nextDialog();
    expect(told.options).toMatchObject({
      type: 'error',
      message: expect.stringContaining('See the log'),
    });
    await told.answer('Close');
    expect(fileWasAsked()).toBe(false);
  });
});

const stopServer = async (app: App) => {
  expect(await app.invoke('local-server:stop', undefined)).toMatchObject({ ok: true });
};
const crash = async (app: App) => {
  for (const { pid } of await app.command('utilityProcesses')) if (pid) process.kill(pid, 'SIGKILL');
};
const untilFailed = async (app: App, saying: string) => {
  const message = { sentence: expect.stringContaining(saying) };
  expect(await app.invoke('local-server:state', undefined)).toMatchObject({
    value: { status: 'failed', message },
  });
};
const crashOnce = async (app: App) => {
  // Unfinished work resumes when the server can start again.
  writeFileSync(join(app.profile, 'homeserver/homeserver.yaml'), 'server_name: 7');
  await crash(app);
  await until(() => untilFailed(app, "couldn't start"));
};
const crashUntilGivenUp = async (app: App) => {
  await until(async () => {
    await crash(app);
    await untilFailed(app, 'keeps crashing');
  });
};

test.skipIf(process.platform !== 'linux').each([
  // A background update that can never finish.
  [
    'has an unfinished background update waits',
    `CREATE TRIGGER held BEFORE DELETE ON background_updates BEGIN SELECT RAISE(ABORT, 'held'); END;
     INSERT INTO background_updates (name, ordering, progress, total_item_count, total_duration_ms) VALUES ('u', 1, '{}', 0, 0)`,
    async () => {},
    old,
  ],
  ['is stopped and idle is installed', 'SELECT 1', stopServer, newer],
  ['was stopped at work waits', activeTask, stopServer, old],
  ['crashed, and may have been at work, waits', 'SELECT 1', crashOnce, old],
  ['keeps crashing, which the new version may fix, is installed', 'SELECT 1', crashUntilGivenUp, newer],
])('an update downloaded while the local server %s', async (_, begin, end, expected) => {
  await using app = await startWithServer();
  await putToWork(app, begin);
  await end(app);
  expect(await app.quit()).toBe(0);
  expect(readFileSync(installed, 'utf8')).toBe(expected);
});

test.skipIf(process.platform !== 'linux')(
  'no update is installed while a task of the local server is running, also if the app is told to quit repeatedly',
  async () => {
    await using app = await startWithServer();
    await putToWork(app, activeTask);
    let id = 0;
    while (app.process.connected) {
      app.process.send({ id: --id, command: 'quit', input: undefined }, () => {});
      await nextTurn();
    }
    expect(await app.ended).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);

    // The user learns that the update wasn't installed.
    await using next = await start({ APPIMAGE: installed }, app.profile);
    const offered = await next.nextDialog();
    expect(offered.options).toMatchObject({
      message: 'Download Gatehouse 0.2.0?',
      detail: expect.stringContaining("wasn't installed because the local server may have been busy"),
    });

    // After "Not now", the app doesn't ask again.
    await offered.answer('Not now');
    expect(await next.quit()).toBe(0);
    await using later = await start({ APPIMAGE: installed }, app.profile);
    expect((await later.nextDialog()).options).toMatchObject({
      message: 'Download Gatehouse 0.2.0?',
      detail: 'You have 0.1.0. The update installs when you quit.',
    });
  },
);

test.skipIf(process.platform !== 'linux')(
  "no update is installed if the local server's state isn't known in time",
  async () => {
    await using app = await startWithServer();
    const added = await app.invoke('connections:add-local', undefined);
    if (!added.ok) throw new Error(added.failure.message);
    const [child] = await app.command('utilityProcesses');
    process.kill(child?.pid ?? 0, 'SIGSTOP');
    const path = '/_service/admin/v1/registration_tokens/new';
    const change = { connectionId: added.value.id, method: 'POST' as const, path, body: {} };
    app.invoke('request', change).catch(() => {});
    await app.invoke('local-server:state', undefined);
    await app.command('quit');
    const log = () => readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8');
    await until(() => expect(log()).toContain('some changes were still running'));
    // The server responds to the stop request, but that doesn't show if its work was done.
    process.kill(child?.pid ?? 0, 'SIGCONT');
    expect(await app.ended).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe(old);
  },
);

test.skipIf(process.platform !== 'linux')(
  "an app that is installing an update doesn't open, replaces a symlink's target, and removes leftovers of a killed app",
  async () => {
    const link = join(root, 'link.AppImage');
    symlinkSync(installed, link);
    // Larger than the maximum process ID on Linux.
    const pid = 2 ** 22 + 1;
    const abandoned = join(root, `.Gatehouse.AppImage.${pid}.new`);
    const other = join(root, `.Other.AppImage.${pid}.new`);
    for (const path of [abandoned, other]) writeFileSync(path, 'half of');
    await using app = await startWithUpdate({}, link);
    const ended = app.quit();
    await app.command('openUrl', { url: 'gatehouse://nowhere.example/report/1' });
    expect(await ended).toBe(0);
    expect(readlinkSync(link)).toBe(installed);
    expect(readFileSync(installed, 'utf8'), app.output).toBe(newer);
    expect([existsSync(abandoned), existsSync(other)]).toEqual([false, true]);
    for (const path of [link, other]) rmSync(path);
    expect(app.relaunch).toBe(undefined);

    // After a manual downgrade, the app doesn't report a failed update.
    offer({ version: '0.0.9' });
    await using next = await start({ APPIMAGE: installed }, app.profile, undefined, undefined, '0.2.0');
    expect(await next.quit()).toBe(0);
    offer({});
    await using back = await start({ APPIMAGE: installed }, app.profile);
    expect((await back.nextDialog()).options).toMatchObject({
      message: 'Download Gatehouse 0.2.0?',
      detail: 'You have 0.1.0. The update installs when you quit.',
    });
  },
);

test.skipIf(process.platform !== 'linux')(
  "package manager installations don't update themselves",
  async () => {
    offer({});
    await using app = await start({});
    const ids = (await app.command('menuItems')).flatMap(({ id }) => id ?? []);
    expect(ids).toContain('show-log');
    expect(ids).not.toContain('check-for-updates');
    expect(feed.asked).toEqual([]);
    // An installed app registers for its links. The `--` prevents links from adding switches.
    const { protocols } = await app.command('desktop');
    expect(protocols).toEqual([{ protocol: 'gatehouse', path: process.execPath, args: ['--'] }]);
  },
);

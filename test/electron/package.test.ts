/** The package as `npm run dist` makes it: what is in it, and that it runs from what is in it. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { extractAll, listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { installedRuntime } from '../../electron/launch/runtime.ts';
import { openScreen, why } from '../e2e/hosts.ts';
import { startApp } from './app.ts';

const runtime = installedRuntime();
const missing = 'missing' in runtime ? runtime.missing : undefined;
/** An Electron of another system has another shape, and only the real one can stand for it. */
const cannotBuild = process.platform !== 'linux' && missing !== undefined;

const root = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
const release = join(root, 'release');
const extracted = join(root, 'extracted');
let said = '';
let unpacked = '';
let asar = '';
let executable = '';

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

/** What of Electron the packing touches: a binary with a fuse wire, all of it as Electron delivers it. */
function standInDistribution(): string {
  const folder = join(root, 'electron');
  mkdirSync(join(folder, 'locales'), { recursive: true });
  for (const name of ['en-US', 'de', 'fr']) writeFileSync(join(folder, 'locales', `${name}.pak`), name);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), name);
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuseCount]), Buffer.from('101100011')]);
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([Buffer.alloc(1000, 1), wire, Buffer.alloc(1000, 2)]),
  );
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
}

beforeAll(() => {
  if (cannotBuild) return;
  const dist = spawnSync(process.execPath, ['electron/packaging/dist.ts', '--output', release], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...(missing !== undefined && { ELECTRON_OVERRIDE_DIST_PATH: standInDistribution() }),
      // Nobody listens there: the tools of every kind of package are out of reach.
      ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:9/',
      CSC_IDENTITY_AUTO_DISCOVERY: 'false',
    },
  });
  said = dist.stdout + dist.stderr;
  expect(dist.status, said).toBe(0);
  [asar = ''] = globSync(join(release, '**/app.asar'));
  unpacked = globSync(join(release, '{*-unpacked,mac*}'))[0] ?? '';
  executable = {
    linux: join(unpacked, 'gatehouse'),
    darwin: join(unpacked, 'Gatehouse.app/Contents/MacOS/Gatehouse'),
    win32: join(unpacked, 'Gatehouse.exe'),
  }[process.platform as 'linux'];
  extractAll(asar, extracted);
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const resource = (name: string) => readFileSync(join(asar, '..', name), 'utf8');

test.skipIf(process.platform !== 'linux')(
  'a kind whose tools are out of reach is named, and the folder is there',
  () => {
    for (const kind of ['AppImage', 'deb', 'tar.gz'])
      expect(said).toMatch(new RegExp(`^Not built: ${kind} \\(`, 'm'));
    expect(globSync(join(unpacked, '*')).map((path) => path.slice(unpacked.length + 1))).toEqual(
      expect.arrayContaining(['gatehouse', 'resources', 'LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  },
);

test.skipIf(cannotBuild)('what is inside is what runs, and nothing else', () => {
  const files = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  expect(files).toEqual(
    expect.arrayContaining(
      ['main.js', 'preload.cjs', 'homeserver-child.js', 'thumbnail-worker.js']
        .map((name) => `dist/electron/${name}`)
        .concat('dist/renderer/index.html', 'package.json'),
    ),
  );
  expect(
    files.filter((path) => /\.(map|ts|tsx|po|c|cpp|h|gyp)$|(^|\/)(tests?|\.\w+)(\/|$)/.test(path)),
  ).toEqual([]);
  expect(files.filter((path) => path.endsWith('.node'))).toEqual([
    `dist/node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`,
  ]);
  expect([...new Set(files.map((path) => path.split('/')[0]))].sort()).toEqual(['dist', 'package.json']);
  for (const bundled of ['fastify', 'kysely', 'typebox', 'react', 'electron']) {
    expect(files).not.toContain(`dist/node_modules/${bundled}/package.json`);
  }
  const manifest = JSON.parse(readFileSync(join(extracted, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    productName: 'Gatehouse',
    main: 'dist/electron/main.js',
    license: 'Apache-2.0',
  });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']));
  for (const part of ['dependencies', 'devDependencies']) expect(manifest[part] ?? {}).toEqual({});
});

test.skipIf(cannotBuild)('it is no larger than it has to be', () => {
  const megabyte = 1024 ** 2;
  expect(statSync(asar).size).toBeLessThan(16 * megabyte);
  const [binary = ''] = globSync(join(release, '**/app.asar.unpacked/**/*.node'));
  expect(statSync(binary).size).toBeLessThan(4 * megabyte);
});

test.skipIf(cannotBuild)(
  'everything inside has its licence told, and stands in the bill of materials',
  () => {
    const packages = globSync('dist/node_modules/{*,@*/*}/package.json', { cwd: extracted }).map((path) => {
      const { name, version }: { name: string; version: string } = JSON.parse(
        readFileSync(join(extracted, path), 'utf8'),
      );
      return `${name} ${version}`;
    });
    expect(packages.length).toBeGreaterThan(10);
    const notices = resource('ThirdPartyNotices.txt').split('\n');
    const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const bundled = ['react', '@mantine/core', 'typebox'].filter((name) => name in devDependencies);
    expect(notices).toEqual(
      expect.arrayContaining([...packages, ...bundled.map((name) => `${name} ${devDependencies[name]}`)]),
    );
    const licences = notices.filter((line) => line.startsWith('Licence: '));
    expect(
      licences.filter(
        (line) => !/\b(MIT|ISC|BSD|0BSD|Apache-2\.0|MPL-2\.0|BlueOak|Unlicense|CC0)\b/.test(line),
      ),
    ).toEqual([]);
    const bom = JSON.parse(resource('sbom.cdx.json'));
    expect(bom.bomFormat).toBe('CycloneDX');
    const named = bom.components.map(
      ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
    );
    expect(named).toEqual(expect.arrayContaining([...packages, `electron ${devDependencies.electron}`]));
    expect(resource('LICENSE')).toContain('Apache License');
  },
);

test.skipIf(cannotBuild)('its fuses are blown, as read from the binary byte by byte', async () => {
  const binary = readFileSync(executable);
  if (process.platform === 'linux') {
    const at = binary.indexOf(sentinel) + sentinel.length;
    const wire = binary.subarray(at + 2, at + 2 + fuseCount).toString();
    // No Node, cookies encrypted, no NODE_OPTIONS, no inspector, asar checked and alone, no snapshot, no file:// rights.
    expect(wire.slice(0, 8)).toBe('01001100');
    expect(binary.indexOf(sentinel, at)).toBe(-1);
  }
  const fuses = (await getCurrentFuseWire(executable)) as unknown as Record<number, FuseState>;
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ];
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ];
  for (const fuse of on) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.ENABLE);
  for (const fuse of off) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.DISABLE);
});

test.skipIf(cannotBuild)('the asar can tell that a file of it was changed', () => {
  const file = statFile(asar, 'dist/electron/main.js') as unknown as {
    integrity: { algorithm: string; hash: string };
  };
  expect(file.integrity).toMatchObject({
    algorithm: 'SHA256',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test.skipIf(cannotBuild)('the icons have the sizes that their names say', () => {
  const icons = join(release, '.staging/icons');
  for (const path of globSync(join(icons, '*.png'))) {
    const [, size] = /(\d+)x\d+\.png$/.exec(path) ?? [];
    expect([readFileSync(path).readUInt32BE(16), readFileSync(path).readUInt32BE(20)]).toEqual([
      Number(size),
      Number(size),
    ]);
  }
  const ico = readFileSync(join(icons, 'icon.ico'));
  // The last picture of the directory is where it says, as large as it says.
  const last = 6 + (ico.readUInt16LE(4) - 1) * 16;
  const png = ico.subarray(ico.readUInt32LE(last + 12));
  expect([png.length, png.readUInt32BE(16)]).toEqual([ico.readUInt32LE(last + 8), 256]);
  const icns = readFileSync(join(icons, 'icon.icns'));
  expect(icns.readUInt32BE(4)).toBe(icns.length);
});

/** What a person does on the first day: signs in, reads reports; and what the app does with a picture. */
async function firstDay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open local server' }).click();
  await openScreen(page, 'Reports');
  await page.getByText('250 reports', { exact: true }).waitFor();
  const small = await page.evaluate(async () => {
    const bridge = window.gatehouse;
    const listed = await bridge?.invoke('connections:list', undefined);
    const connectionId = (listed?.ok && listed.value[0]?.id) || '';
    const canvas = new OffscreenCanvas(2000, 1000);
    canvas.getContext('2d')?.fillRect(0, 0, 1000, 1000);
    const bytes = await (await canvas.convertToBlob()).arrayBuffer();
    const put = await bridge?.invoke('media:upload', { connectionId, bytes });
    const uri = put?.ok ? put.value.uri : JSON.stringify(put);
    const got = await bridge?.invoke('media', { connectionId, uri, preview: true });
    if (!got?.ok) return got;
    const { width, height } = await createImageBitmap(
      new Blob([got.value.bytes], { type: got.value.contentType }),
    );
    return { width, height };
  });
  // Half as high as wide, as it was, and within what previews are.
  expect(small).toEqual({ width: 800, height: 400 });
}

/** The reports once more, from a server that was started again. */
async function readAgain(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const bridge = window.gatehouse;
    const listed = await bridge?.invoke('connections:list', undefined);
    const connectionId = (listed?.ok && listed.value[0]?.id) || '';
    const path = '/_service/admin/v1/event_reports';
    const reply = await bridge?.invoke('request', { connectionId, method: 'GET', path });
    return reply?.ok ? reply.value.status : reply;
  });
  expect(status).toBe(200);
}

test.skipIf(cannotBuild)(
  'it runs from its own files: first start, sign-in, reports, a thumbnail, a crash, quit',
  async () => {
    await using app = await startApp({
      dist: join(extracted, 'dist'),
      arguments: ['--sample-data'],
      settings: { packaged: true },
    });
    await firstDay(app.page);
    const [homeserver] = await app.command('utilityProcesses');
    expect(homeserver?.modulePath.startsWith(extracted)).toBe(true);
    const restarted = app.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.gatehouse?.listen('local-server:changed', ({ status }) => status === 'running' && resolve());
        }),
    );
    process.kill(homeserver?.pid ?? 0, 'SIGKILL');
    await restarted;
    await readAgain(app.page);
    expect(await app.quit()).toBe(0);
  },
  120_000,
);

test.skipIf(missing)(
  `the package itself runs${why(missing)}`,
  async () => {
    const profile = join(root, 'profile');
    // Playwright's own way into Electron needs the inspector, which a fuse has switched off for good.
    const app = spawn(
      executable,
      [`--user-data-dir=${profile}`, '--remote-debugging-port=0', '--sample-data'],
      {
        stdio: ['ignore', 'inherit', 'pipe'],
      },
    );
    const ended = new Promise<number | null>((resolve) => app.once('exit', resolve));
    const endpoint = await new Promise<string>((resolve, reject) => {
      app.once('exit', (code) => reject(new Error(`The package ended with code ${code}`)));
      createInterface({ input: app.stderr }).on('line', (line) => {
        const [, address] = /^DevTools listening on (ws:\S+)$/.exec(line) ?? [];
        if (address) resolve(address);
      });
    });
    const browser = await chromium.connectOverCDP(endpoint);
    const [context] = browser.contexts();
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    if (!page) throw new Error('The package opened no window');
    await firstDay(page);
    await page.evaluate(() => window.gatehouse?.invoke('local-server:restart', undefined));
    await readAgain(page);
    await browser.close();
    app.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
  120_000,
);

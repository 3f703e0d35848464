/** The output of `npm run dist`: its contents, and that it runs from them. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { extractAll, listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../electron/launch/build.ts';
import { openScreen, why } from '../e2e/hosts.ts';
import { patience } from '../patience.ts';
import { startApp } from './app.ts';
import { cannotBuild, fuseCount, keys, kindsIn, missing, packing, sentinel } from './packing.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
const release = join(root, 'release');
const extracted = join(root, 'extracted');
let said = '';
let unpacked = '';
let asar = '';
let executable = '';

beforeAll(() => {
  if (cannotBuild) return;
  const { tools, pack } = packing(root);
  const dist = pack(release, tools);
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

test.skipIf(process.platform !== 'linux')('every package format is built, and the unpacked app', () => {
  expect(said).not.toContain('Not built');
  expect(kindsIn(release)).toEqual(['AppImage', 'deb', 'deb.desktop', 'deb.told', 'tar.gz']);
  const [archive = ''] = globSync(join(release, '*.tar.gz'));
  const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' });
  const [, folder] = /Gatehouse-([\d.]+-linux-\w+)\.tar\.gz$/.exec(archive) ?? [];
  for (const name of ['gatehouse', 'resources/app.asar', 'LICENSE.electron.txt'])
    expect(listed.split('\n')).toContain(`Gatehouse-${folder}/${name}`);
  expect(globSync(join(unpacked, '*')).map((path) => path.slice(unpacked.length + 1))).toEqual(
    expect.arrayContaining(['gatehouse', 'resources', 'LICENSE.electron.txt', 'LICENSES.chromium.html']),
  );
});

test.skipIf(process.platform !== 'linux')(
  'an updatable package finds its updates and starts in its sandbox',
  () => {
    const [appImage = ''] = globSync(join(release, '*.AppImage'));
    const [feed = ''] = globSync(join(release, 'latest-linux*.yml'));
    const written = readFileSync(feed, 'utf8');
    const offered = parse(written);
    expect(offered.files.map(({ url }: { url: string }) => url)).toContain(basename(appImage));
    const sha512 = createHash('sha512').update(readFileSync(appImage)).digest('base64');
    expect(offered.files.find(({ url }: { url: string }) => url === basename(appImage)).sha512).toBe(sha512);

    const inside = join(root, 'appimage');
    mkdirSync(inside);
    execFileSync('sh', ['-c', 'tail -c +17 "$1" | tar -x -C "$2" 2>&1', '-', appImage, inside]);
    const resources = join(inside, 'resources');
    expect(parse(readFileSync(join(resources, 'app-update.yml'), 'utf8'))).toEqual({
      provider: 'generic',
      url: 'https://updates.example/gatehouse/',
      updaterCacheDirName: 'gatehouse-updater',
    });
    const [, text = '', signature = ''] = /^(.*\n)# signature: (\S+)\n$/s.exec(written) ?? [];
    const signed = Buffer.from(`Gatehouse ${basename(feed)}\n${text}`);
    const key = readFileSync(join(resources, 'update-key.pem'), 'utf8');
    expect(key).toBe(keys.publicKey);
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
    // With this file, electron-updater would install updates for another package type.
    expect(existsSync(join(resources, 'package-type'))).toBe(false);
    const entry = readFileSync(join(inside, 'gatehouse.desktop'), 'utf8');
    expect(entry).toMatch(/^Exec=AppRun\s+%U$/m);
    expect(entry).toMatch(/^MimeType=x-scheme-handler\/gatehouse;$/m);
  },
);

test.skipIf(process.platform !== 'linux')('package metadata is complete for the package manager', () => {
  const [told = ''] = globSync(join(release, '*.deb.told'));
  const words = readFileSync(told, 'utf8').split('\n');
  const after = (option: string) => words[words.indexOf(option) + 1];
  const { version, homepage, license } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  expect(after('--version')).toBe(version);
  expect(after('--url')).toBe(homepage);
  expect(after('--license')).toBe(license);
  expect(after('--maintainer')).toMatch(/^The Gatehouse authors </);
  const entry = readFileSync(told.replace(/told$/, 'desktop'), 'utf8');
  for (const line of [
    'Name=Gatehouse',
    'Exec=/opt/Gatehouse/gatehouse %U',
    'Icon=gatehouse',
    'MimeType=x-scheme-handler/gatehouse;',
    'Categories=Network;',
  ]) {
    expect(entry.split('\n')).toContain(line);
  }
});

test.skipIf(cannotBuild)('the package contains only files that the app needs', () => {
  const files = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  expect(files).toEqual(
    expect.arrayContaining(
      ['main.js', 'preload.cjs', 'homeserver-child.js', 'thumbnail-worker.js', 'statement-worker.js']
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

test.skipIf(cannotBuild)("the package doesn't exceed its size limit", () => {
  const megabyte = 1024 ** 2;
  expect(statSync(asar).size).toBeLessThan(18 * megabyte);
  const [binary = ''] = globSync(join(release, '**/app.asar.unpacked/**/*.node'));
  expect(statSync(binary).size).toBeLessThan(4 * megabyte);
});

test.skipIf(cannotBuild)('all contents have their license listed and are in the bill of materials', () => {
  const packages = globSync('dist/node_modules/{*,@*/*}/package.json', { cwd: extracted }).map((path) => {
    const { name, version }: { name: string; version: string } = JSON.parse(
      readFileSync(join(extracted, path), 'utf8'),
    );
    return `${name} ${version}`;
  });
  expect(packages.length).toBeGreaterThan(10);
  const notices = resource('ThirdPartyNotices.txt').split('\n');
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );
  const needed: Record<string, string> = { ...dependencies, ...devDependencies };
  const bundled = [
    'react',
    '@mantine/core',
    'typebox',
    'fastify',
    'kysely',
    'electron-updater',
    'electron-log',
    '@fontsource-variable/inter',
  ].map((name) => `${name} ${needed[name]}`);
  expect(notices).toEqual(expect.arrayContaining([...packages, ...bundled]));
  // Each notice has the license text and the copyright holder.
  const told = resource('ThirdPartyNotices.txt')
    .split(/^-{80}$/m)
    .slice(1);
  expect(
    told.filter((part) => !/copyright|blue oak/i.test(part)).map((part) => part.trim().split('\n')[0]),
  ).toEqual([]);
  const licences = notices.filter((line) => line.startsWith('License: '));
  expect(
    licences.filter(
      (line) => !/\b(MIT|ISC|BSD|0BSD|Apache-2\.0|MPL-2\.0|BlueOak|Unlicense|CC0|OFL-1\.1)\b/.test(line),
    ),
  ).toEqual([]);
  const bom = JSON.parse(resource('sbom.cdx.json'));
  expect(bom.bomFormat).toBe('CycloneDX');
  expect(bom.metadata.component.name).toBe('gatehouse');
  type Node = { ref: string; dependsOn: string[] };
  const refs = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref']);
  expect(bom.dependencies.map(({ ref }: Node) => ref).sort()).toEqual(refs.sort());
  for (const { dependsOn } of bom.dependencies as Node[])
    expect(refs).toEqual(expect.arrayContaining(dependsOn));
  expect(JSON.stringify(bom)).not.toContain('development');
  const named = bom.components.map(
    ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
  );
  expect(named).toEqual(expect.arrayContaining([...packages, `electron ${devDependencies.electron}`]));
  expect(resource('LICENSE')).toContain('Apache License');
});

test.skipIf(cannotBuild)('its fuses are set, as read from the binary', async () => {
  const binary = readFileSync(executable);
  if (process.platform === 'linux') {
    const at = binary.indexOf(sentinel) + sentinel.length;
    const wire = binary.subarray(at + 2, at + 2 + fuseCount).toString();
    // Disabled: Node, NODE_OPTIONS, inspector, snapshot, file:// privileges. Enabled: cookie encryption, asar
    // integrity, asar only.
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

test.skipIf(cannotBuild)("the asar's integrity check detects a changed file", () => {
  const file = statFile(asar, 'dist/electron/main.js') as unknown as {
    integrity: { algorithm: string; hash: string };
  };
  expect(file.integrity).toMatchObject({
    algorithm: 'SHA256',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test.skipIf(cannotBuild)('the icons have the sizes in their names', () => {
  const icons = join(release, '.staging/resources');
  const set = globSync(join(icons, 'icons/*.png'));
  expect(set.length).toBeGreaterThan(5);
  for (const path of set) {
    const [, size] = /(\d+)x\d+\.png$/.exec(path) ?? [];
    expect([readFileSync(path).readUInt32BE(16), readFileSync(path).readUInt32BE(20)]).toEqual([
      Number(size),
      Number(size),
    ]);
  }
  const ico = readFileSync(join(icons, 'icon.ico'));
  // Offset and size of the last image match the directory entry.
  const last = 6 + (ico.readUInt16LE(4) - 1) * 16;
  const png = ico.subarray(ico.readUInt32LE(last + 12));
  expect([png.length, png.readUInt32BE(16)]).toEqual([ico.readUInt32LE(last + 8), 256]);
  const icns = readFileSync(join(icons, 'icon.icns'));
  expect(icns.readUInt32BE(4)).toBe(icns.length);
});

/** First use by a user: signs in, opens reports and an image preview. */
async function firstDay(page: Page): Promise<void> {
  // On a slow computer, sample data takes longer than the app waits.
  const state = () => page.evaluate(() => window.gatehouse?.invoke('local-server:state', undefined));
  await expect.poll(state, { timeout: patience }).toMatchObject({ value: { status: 'running' } });
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
  // Keeps the aspect ratio of 2:1 and fits the preview size.
  expect(small).toEqual({ width: 800, height: 400 });
}

/** Resolves when the local server has restarted. */
const untilRuns = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.gatehouse?.listen('local-server:changed', ({ status }) => status === 'running' && resolve());
      }),
  );

/** Returns the process ID of the local server that an Electron runs, from the system's process list. */
function homeserverOf(electron: number): number {
  const processes = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
    });
  // Electron may start its children from an intermediate process.
  const own = new Set([electron]);
  for (let known = 0; known < own.size; ) {
    known = own.size;
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid);
  }
  const found = processes.find(({ pid, args }) => own.has(pid) && args.includes('node.mojom.NodeService'));
  if (!found) throw new Error('No process runs the local server');
  return found.pid;
}

/** Reads the reports again after the server restarted. */
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
  'it runs from its own files: first start, sign-in, reports, thumbnail, crash, quit',
  async () => {
    await using app = await startApp({
      dist: join(extracted, 'dist'),
      arguments: ['--sample-data'],
      settings: { packaged: true },
    });
    await firstDay(app.page);
    const [homeserver] = await app.command('utilityProcesses');
    expect(homeserver?.modulePath.startsWith(extracted)).toBe(true);
    const restarted = untilRuns(app.page);
    process.kill(homeserver?.pid ?? 0, 'SIGKILL');
    await restarted;
    await readAgain(app.page);
    expect(await app.quit()).toBe(0);
  },
  120_000,
);

test.skipIf(missing)(
  `the package runs${why(missing)}`,
  async () => {
    const profile = join(root, 'profile');
    // Playwright's Electron support needs the inspector, which a fuse disables.
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
    const restarted = untilRuns(page);
    // Windows has no `ps`.
    if (process.platform === 'win32')
      await page.evaluate(() => window.gatehouse?.invoke('local-server:restart', undefined));
    else process.kill(homeserverOf(app.pid ?? 0), 'SIGKILL');
    await restarted;
    await readAgain(page);
    await browser.close();
    app.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
  120_000,
);

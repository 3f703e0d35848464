/**
 * `npm run dist`: packages of the desktop app for the current platform in `release/`. Formats are built one by one;
 * if tools are missing, the format is named and the others are built. Needs Electron.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CliOptions } from 'electron-builder';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { buildWhatIsMissing, projectRoot } from '../launch/build.ts';
import { Release, updateKeyFile } from '../updates/update-feed.ts';
import { fillAppFolder } from './app-folder.ts';
import { billOfMaterials, components, notices } from './contents.ts';
import { drawIcons } from './icons.ts';
import { offeredUpdates } from './offered-updates.ts';

const { values } = parseArgs({
  options: {
    /** Only the unpacked directory. */
    dir: { type: 'boolean', default: false },
    /** Fail if a format can't be built, for releases. */
    all: { type: 'boolean', default: false },
    output: { type: 'string', default: join(projectRoot, 'release') },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const output = resolve(values.output);
const staging = join(output, '.staging');

/** `feed` is the update feed's file, and `taken` the suffix of the update's file. */
const here = {
  linux: {
    platform: 'LINUX' as const,
    section: 'linux',
    archs: [process.arch],
    unpacked: 'linux-unpacked',
    feed: process.arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${process.arch}.yml`,
    taken: '.AppImage',
  },
  darwin: {
    platform: 'MAC' as const,
    section: 'mac',
    archs: ['x64', 'arm64'],
    unpacked: 'mac',
    feed: 'latest-mac.yml',
    taken: '.zip',
  },
  win32: {
    platform: 'WINDOWS' as const,
    section: 'win',
    archs: [process.arch],
    unpacked: 'win-unpacked',
    feed: 'latest.yml',
    taken: '.exe',
  },
}[process.platform as string];
if (!here) throw new Error(`No package types for ${process.platform}`);
const { platform, unpacked } = here;

const builder = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
const kinds: string[] = values.dir ? ['dir'] : builder[here.section].target;

/** URL of the packaged app's update feed; without one, it doesn't look for updates. */
const feed = process.env.GATEHOUSE_UPDATE_FEED;
if (feed && URL.parse(feed)?.protocol !== 'https:') {
  throw new Error('GATEHOUSE_UPDATE_FEED: not an https URL; use one');
}
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
if (feed && !Value.Check(Release, version)) {
  throw new Error(`GATEHOUSE_UPDATE_FEED: ${version} isn't a release version such as 1.2.0; unset the feed`);
}
/** Version of a release; builds without one have none. */
const tag = process.env.GATEHOUSE_RELEASE_TAG;
if (tag && tag !== `v${version}`) {
  throw new Error(
    `GATEHOUSE_RELEASE_TAG: ${tag} doesn't match version ${version} in package.json; change one of them`,
  );
}
const updateKey = feed ? readUpdateKey() : undefined;
// Not needed to package the app.
delete process.env.GATEHOUSE_UPDATE_KEY;

// Loads slowly, so only after the checks.
const { Arch, build, Platform } = await import('electron-builder');

buildWhatIsMissing(say);
mkdirSync(staging, { recursive: true });
drawIcons(join(staging, 'resources'));
const inside = components();
writeFileSync(join(staging, 'ThirdPartyNotices.txt'), notices(inside));
writeFileSync(join(output, 'sbom.cdx.json'), billOfMaterials(inside));

if (updateKey) {
  const publicKey = createPublicKey(updateKey).export({ type: 'spki', format: 'pem' });
  writeFileSync(join(staging, updateKeyFile), publicKey);
}

// An unset secret in a workflow is an empty string, which electron-builder would take for a certificate's path.
for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD']) {
  if (process.env[name] === '') delete process.env[name];
}

const electronDist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
const offered = offeredUpdates(join(output, here.feed), here.taken, updateKey);
const missing: string[] = [];
try {
  for (const arch of here.archs) {
    say(`Packaging for ${here.section} on ${arch} with ${inside.length} third-party packages…`);
    fillAppFolder(join(staging, 'app'), process.platform, arch);
    missing.push(...(await makeKinds(arch)));
  }
  for (const line of missing) say(`Not built: ${line}`);
  const isNoneBuilt = missing.length === kinds.length * here.archs.length;
  say(isNoneBuilt ? `No packages built. The unpacked app is in ${output}.` : `Packages built in ${output}.`);
  if (missing.length > 0) end(values.all ? 1 : 0);
} catch (error) {
  if (electronDist || !isOfNetwork(error)) throw error;
  say(
    `Nothing built: couldn't download Electron (${firstLine(error)}). To use a local copy, set ELECTRON_OVERRIDE_DIST_PATH.`,
  );
  end(1);
}

/**
 * Exits once everything is printed. A failed download leaves a timer that would delay the exit by 30 seconds, and the
 * builder's exit handler would end with 0.
 */
function end(code: number): void {
  process.once('exit', () => {
    process.exitCode = code;
  });
  process.stdout.write('', () => process.exit());
}

/**
 * The first format packages the app, and the others reuse it. Without a format, the update settings would be missing.
 *
 * @returns the formats that failed, and why
 */
async function makeKinds(arch: string): Promise<string[]> {
  const notMade: string[] = [];
  let isPacked = false;
  for (const kind of kinds) {
    try {
      await make(kind, arch, isPacked, () => {
        isPacked = true;
      });
    } catch (error) {
      if (!isPacked) throw error;
      notMade.push(`${kind} (${arch}): ${firstLine(error)}`);
    }
    offered.keep();
  }
  return notMade;
}

/** The source: a folder, or the app in it. */
function packed(arch: string): string {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  const folder = join(output, unpacked.replace(/^([a-z]+)/, `$1${suffix}`));
  return process.platform === 'darwin' ? join(folder, `${builder.productName}.app`) : folder;
}

async function make(kind: string, arch: string, isPacked: boolean, onPacked: () => void): Promise<void> {
  const options: CliOptions = {
    projectDir: projectRoot,
    targets: Platform[platform].createTarget([kind], Arch[arch as keyof typeof Arch]),
    publish: 'never',
    ...(isPacked && { prepackaged: packed(arch) }),
    config: {
      directories: { app: join(staging, 'app'), output, buildResources: join(staging, 'resources') },
      // The folder is complete: nothing is compiled or installed. better-sqlite3 has N-API binaries, which fit any
      // Electron.
      beforeBuild: async () => false,
      artifactBuildStarted: onPacked,
      ...(feed && { publish: [{ provider: 'generic' as const, url: feed }] }),
      ...(electronDist && { electronDist: resolve(electronDist) }),
      extraResources: [
        { from: join(staging, 'ThirdPartyNotices.txt'), to: 'ThirdPartyNotices.txt' },
        { from: join(projectRoot, 'LICENSE'), to: 'LICENSE' },
        { from: join(output, 'sbom.cdx.json'), to: 'sbom.cdx.json' },
        ...(updateKey ? [{ from: join(staging, updateKeyFile), to: updateKeyFile }] : []),
      ],
    },
  };
  await build(options);
}

/**
 * The key that signs updates.
 *
 * @throws Error without one: on Linux nothing else authenticates updates
 */
function readUpdateKey(): KeyObject {
  const problem = 'GATEHOUSE_UPDATE_KEY: not an Ed25519 private key in PEM; set the key that signs updates';
  const pem = process.env.GATEHOUSE_UPDATE_KEY;
  if (!pem) throw new Error(problem);
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Errors about it would quote it.
    throw new Error(problem);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(problem);
  return key;
}

/** An unknown host, a failed connection, or an error reply. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && /^(RequestError|HTTPError|TimeoutError)$/.test(error.name);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

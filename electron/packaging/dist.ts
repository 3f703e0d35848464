/**
 * `npm run dist`: packages of the desktop app for the platform that it runs on, into `release/`. Each kind is built
 * by itself: where its tools can't be had, it is named, and the others are built all the same.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Arch, build, type CliOptions, Platform } from 'electron-builder';
import { parse } from 'yaml';
import { buildWhatIsMissing, projectRoot } from '../launch/build.ts';
import { fillAppFolder } from './app-folder.ts';
import { billOfMaterials, components, notices } from './contents.ts';
import { drawIcons } from './icons.ts';

const { values } = parseArgs({
  options: {
    /** The unpacked directory alone. */
    dir: { type: 'boolean', default: false },
    /** Fail where a kind of package could not be built, as a release has to. */
    all: { type: 'boolean', default: false },
    output: { type: 'string', default: join(projectRoot, 'release') },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const output = resolve(values.output);
const staging = join(output, '.staging');

const here = {
  linux: { platform: Platform.LINUX, section: 'linux', archs: [process.arch], unpacked: 'linux-unpacked' },
  darwin: { platform: Platform.MAC, section: 'mac', archs: ['x64', 'arm64'], unpacked: 'mac' },
  win32: { platform: Platform.WINDOWS, section: 'win', archs: [process.arch], unpacked: 'win-unpacked' },
}[process.platform as string];
if (!here) throw new Error(`There are no packages for ${process.platform}`);

const builder = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
const kinds: string[] = values.dir ? [] : builder[here.section].target;

buildWhatIsMissing(say);
mkdirSync(staging, { recursive: true });
drawIcons(join(staging, 'icons'));
const inside = components();
writeFileSync(join(staging, 'ThirdPartyNotices.txt'), notices(inside));
writeFileSync(join(output, 'sbom.cdx.json'), billOfMaterials(inside));

/** Where the app that is packed looks for its updates; without one it doesn't. */
const feed = process.env.GATEHOUSE_UPDATE_FEED;
if (feed && URL.parse(feed)?.protocol !== 'https:') {
  throw new Error('GATEHOUSE_UPDATE_FEED has to be an https address: what comes from there is installed');
}

const missing: string[] = [];
for (const arch of here.archs) {
  say(`Packing for ${here.section} on ${arch}, with ${inside.length} packages of others inside.`);
  fillAppFolder(join(staging, 'app'), process.platform, arch);
  await pack('dir', arch);
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  const unpacked = join(output, here.unpacked.replace(/^([a-z]+)/, `$1${suffix}`));
  for (const kind of kinds) {
    try {
      await pack(kind, arch, unpacked);
    } catch (error) {
      missing.push(`${kind} (${arch}): ${firstLine(error)}`);
    }
  }
}
for (const line of missing) say(`Not built: ${line}`);
say(`The packages are in ${output}.`);
if (missing.length > 0 && values.all) process.exitCode = 1;

async function pack(kind: string, arch: string, prepackaged?: string): Promise<void> {
  const electronDist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const options: CliOptions = {
    projectDir: projectRoot,
    targets: (here as NonNullable<typeof here>).platform.createTarget(
      [kind],
      Arch[arch as keyof typeof Arch],
    ),
    publish: 'never',
    ...(prepackaged !== undefined && { prepackaged }),
    config: {
      directories: { app: join(staging, 'app'), output, buildResources: join(staging, 'icons') },
      // What is in the folder is all there is to be: nothing is compiled or looked for. better-sqlite3 brings N-API
      // binaries, which fit every Electron.
      beforeBuild: async () => false,
      ...(feed && { publish: [{ provider: 'generic' as const, url: feed }] }),
      ...(electronDist && { electronDist: resolve(electronDist) }),
      extraResources: [
        { from: join(staging, 'ThirdPartyNotices.txt'), to: 'ThirdPartyNotices.txt' },
        { from: join(projectRoot, 'LICENSE'), to: 'LICENSE' },
        { from: join(output, 'sbom.cdx.json'), to: 'sbom.cdx.json' },
      ],
    },
  };
  await build(options);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

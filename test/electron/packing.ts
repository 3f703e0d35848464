/** `npm run dist`, on a machine without Electron and without tools. */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../electron/launch/build.ts';
import { installedRuntime } from '../../electron/launch/runtime.ts';

const runtime = installedRuntime();
/** Why there is no Electron on this machine, where there is none. */
export const missing = 'missing' in runtime ? runtime.missing : undefined;
/** An Electron of another system has another shape, and only the real one can stand for it. */
export const cannotBuild = process.platform !== 'linux' && missing !== undefined;

export const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
export const fuseCount = 9;

/** What of Electron the packing touches: a binary with a fuse wire, all of it as Electron delivers it. */
function makeStandInDistribution(folder: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true });
  for (const name of ['en-US', 'de', 'fr']) writeFileSync(join(folder, 'locales', `${name}.pak`), name);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), name);
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuseCount]), Buffer.from('101100011')]);
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([Buffer.alloc(1000, 1), wire, Buffer.alloc(1000, 2)]),
  );
  chmodSync(join(folder, 'electron'), 0o755);
}

/**
 * What makes an AppImage and a deb, as far as that is of interest here: each is an archive of what is put into it,
 * and beside the deb stands what fpm was told.
 */
function standInTools(folder: string): Record<string, string> {
  const tool = (path: string, script: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return join(folder, path);
  };
  // With room before it for the program that opens it.
  tool(`linux-${process.arch}/mksquashfs`, '(printf "%-16s" ""; tar -c -C "$1" .) > "$2"');
  tool(`linux-${process.arch}/desktop-file-validate`, 'exit 0');
  writeFileSync(join(folder, `runtime-${process.arch}`), '#!/bin/sh\nexit\n\n');
  mkdirSync(join(folder, 'lib/x64'), { recursive: true });
  const fpm = tool(
    'fpm',
    `for word; do case "$before" in --package) package="$word";; esac; before="$word"; done
     for last; do :; done; printf '%s\\n' "$@" > "$package.told"; printf 'deb' > "$package"
     cp "\${last%%=*}" "$package.desktop"`,
  );
  const packer = tool('7za', 'for last; do to="$from"; from="$last"; done; gzip -c "$from" > "$to"');
  return { CUSTOM_FPM_PATH: fpm, APPIMAGE_TOOLS_PATH: folder, ELECTRON_BUILDER_7ZIP_PATH: packer };
}

/**
 * What packs into a folder, as a closed network lets it: no tool can be fetched.
 *
 * @param root a folder for what stands in for Electron and for tools
 */
export function packing(root: string) {
  const distribution = join(root, 'electron');
  if (missing !== undefined) makeStandInDistribution(distribution);
  return {
    /** By the variables of the environment that name them. */
    tools: process.platform === 'linux' ? standInTools(join(root, 'tools')) : {},
    pack: (output: string, environment: Record<string, string | undefined> = {}, ...given: string[]) =>
      spawnSync(process.execPath, ['electron/packaging/dist.ts', '--output', output, ...given], {
        cwd: environment.PROJECT ?? projectRoot,
        encoding: 'utf8',
        env: {
          ...process.env,
          NODE_ENV: 'production',
          ...(missing !== undefined && { ELECTRON_OVERRIDE_DIST_PATH: distribution }),
          // Nobody listens there.
          ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:9/',
          ELECTRON_BUILDER_CACHE: join(root, 'cache'),
          GATEHOUSE_UPDATE_FEED: 'https://updates.example/gatehouse/',
          GATEHOUSE_UPDATE_KEY: keys.privateKey,
          CSC_IDENTITY_AUTO_DISCOVERY: 'false',
          ...environment,
        },
      }),
  };
}

/** The packages that stand in a folder, by how their names end. */
export const kindsIn = (folder: string) =>
  globSync('Gatehouse-*', { cwd: folder })
    .map((name) => name.replace(/^Gatehouse-[\d.]+-linux-\w+\./, ''))
    .sort();

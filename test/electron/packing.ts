/** Runs `npm run dist` on a machine without Electron or packaging tools. */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../electron/launch/build.ts';
import { installedRuntime } from '../../electron/launch/runtime.ts';

const runtime = installedRuntime();
/** Reason why there's no Electron on this machine, if so. */
export const missing = 'missing' in runtime ? runtime.missing : undefined;
/** Electron's layout differs between systems, and the stand-in only has that of Linux. */
export const cannotBuild = process.platform !== 'linux' && missing !== undefined;

export const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
export const fuseCount = 9;

/**
 * Creates the parts of an Electron distribution that packaging uses, including a binary with Electron's default
 * fuses.
 */
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
 * Creates stand-ins for the AppImage and deb tools. Each archives its input, and fpm's arguments are written next to
 * the deb.
 */
function standInTools(folder: string): Record<string, string> {
  const tool = (path: string, script: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return join(folder, path);
  };
  // Leaves space for the AppImage runtime.
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
 * Returns a packager that runs offline, without downloading tools.
 *
 * @param root a folder for the stand-ins for Electron and tools
 */
export function packing(root: string) {
  const distribution = join(root, 'electron');
  if (missing !== undefined) makeStandInDistribution(distribution);
  return {
    /** Environment variables with the paths of the tools. */
    tools: process.platform === 'linux' ? standInTools(join(root, 'tools')) : {},
    pack: (output: string, environment: Record<string, string | undefined> = {}, ...given: string[]) =>
      spawnSync(process.execPath, ['electron/packaging/dist.ts', '--output', output, ...given], {
        cwd: environment.PROJECT ?? projectRoot,
        encoding: 'utf8',
        env: {
          ...process.env,
          NODE_ENV: 'production',
          ...(missing !== undefined && { ELECTRON_OVERRIDE_DIST_PATH: distribution }),
          // No server listens on this port.
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

/** Returns the extensions of the packages in a folder. */
export const kindsIn = (folder: string) =>
  globSync('Gatehouse-*', { cwd: folder })
    .map((name) => name.replace(/^Gatehouse-[\d.]+-linux-\w+\./, ''))
    .sort();

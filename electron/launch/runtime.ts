/** Whether the app can open in a window of its own here: an Electron runtime and a display to show it on. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const connectsWithinMs = 4_000;
const downloadsWithinMs = 5 * 60_000;

export type Runtime = { path: string } | { missing: string };

/** The runtime that is here already. */
export function installedRuntime(): Runtime {
  const missing = noDisplay();
  if (missing) return { missing };
  const path = runtimePath();
  return path ? { path } : { missing: 'no Electron runtime' };
}

/** The runtime, downloaded where there is none yet but one could be used. */
export function findRuntime(say: (line: string) => void): Runtime {
  const installed = installedRuntime();
  return 'path' in installed || noDisplay() ? installed : fetchRuntime(say);
}

/**
 * The runtime, whether or not it could show a window here.
 *
 * @param output where goes what is said of the download itself
 */
export function fetchRuntime(say: (line: string) => void, output: 'ignore' | 'inherit' = 'ignore'): Runtime {
  const found = runtimePath();
  if (found) return { path: found };
  const reason = downloadRuntime(say, output);
  const path = runtimePath();
  if (path) return { path };
  return { missing: `no Electron runtime: ${reason ?? 'the download failed'}` };
}

/** Why nothing can be shown on this machine, where that is so. */
function noDisplay(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'this computer has no display';
  // Chromium's sandbox does not work for root, and Gatehouse does not run without it.
  return process.getuid?.() === 0 ? "Electron can't run as root" : undefined;
}

const electronPackage = dirname(createRequire(import.meta.url).resolve('electron/package.json'));

function runtimePath(): string | undefined {
  const pathFile = join(electronPackage, 'path.txt');
  const executable = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const directory = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? (executable && join(electronPackage, 'dist'));
  if (!directory) return undefined;
  const path = join(directory, executable ?? 'electron');
  return existsSync(path) ? path : undefined;
}

/**
 * Electron's package brings a script for it. A closed network is found out first: the script would wait long.
 *
 * @returns why it was not tried, where it was not
 */
function downloadRuntime(say: (line: string) => void, output: 'ignore' | 'inherit'): string | undefined {
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) {
    return 'ELECTRON_SKIP_BINARY_DOWNLOAD prevents the download';
  }
  const host = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com/';
  const knock = `fetch(${JSON.stringify(host)}, { method: 'HEAD' }).then(() => process.exit(0))`;
  const reachable = spawnSync(process.execPath, ['--use-env-proxy', '-e', knock], {
    stdio: 'ignore',
    timeout: connectsWithinMs,
  });
  if (reachable.status !== 0) return `can't reach ${host}`;

  say('Downloading the Electron runtime (once, about 100 MB)…');
  spawnSync(process.execPath, [join(electronPackage, 'install.js')], {
    stdio: output,
    timeout: downloadsWithinMs,
  });
  return undefined;
}

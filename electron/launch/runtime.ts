/** Checks if the app can open a window: it needs an Electron runtime and a display. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const connectsWithinMs = 4_000;
const downloadsWithinMs = 5 * 60_000;

export type Runtime = { path: string } | { missing: string };

/** Returns the installed runtime. */
export function installedRuntime(): Runtime {
  const missing = noDisplay();
  if (missing) return { missing };
  const path = runtimePath();
  return path ? { path } : { missing: 'no Electron runtime' };
}

/** Returns the runtime, and downloads it if missing and usable. */
export function findRuntime(say: (line: string) => void): Runtime {
  const installed = installedRuntime();
  return 'path' in installed || noDisplay() ? installed : fetchRuntime(say);
}

/**
 * Returns the runtime, even without a display.
 *
 * @param output stream for the download's output
 */
export function fetchRuntime(say: (line: string) => void, output: 'ignore' | 'inherit' = 'ignore'): Runtime {
  const found = runtimePath();
  if (found) return { path: found };
  const reason = downloadRuntime(say, output);
  const path = runtimePath();
  if (path) return { path };
  return { missing: `no Electron runtime: ${reason ?? 'the download failed'}` };
}

/** Returns the reason if this computer can't show windows. */
function noDisplay(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'this computer has no display';
  // Chromium's sandbox doesn't work for root, and Gatehouse doesn't run without it.
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
 * Runs the download script of Electron's package. Checks the network first, because the script would wait for long.
 *
 * @returns the reason if it wasn't tried
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

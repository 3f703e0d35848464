/** The app's log. Users send it along with bug reports, so it contains no secrets. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import electronLog from 'electron-log/node';
import { writeFileAtomically } from './atomic-file.ts';
import { asOneEntry, shortened, withoutSecrets } from './log-entry.ts';

/** In bytes: two files are kept, the current and the previous one. */
const mostBytes = 1024 * 1024;
const mostCrashReports = 10;

const folder = () => join(app.getPath('userData'), 'logs');
export const logFile = () => join(folder(), 'gatehouse.log');
const crashFolder = () => join(folder(), 'crashes');

export const log = electronLog.create({ logId: 'gatehouse' });
log.transports.file.resolvePathFn = logFile;
log.transports.file.maxSize = mostBytes;
log.transports.file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
log.transports.file.format = '{iso} {level} {text}';
log.transports.console.format = '{text}';
log.hooks.push((message) => ({
  ...message,
  data: message.data.map((part) => asOneEntry(withoutSecrets(textOf(part)))),
}));

const textOf = (part: unknown) =>
  shortened(part instanceof Error ? (part.stack ?? part.message) : String(part));

/**
 * Keeps crash reports on this computer only and deletes the oldest. Failures are ignored, because a reload or an
 * error dialog follows.
 */
export function keepCrashReport(what: string, error: unknown): void {
  try {
    writeCrashReport(what, error);
  } catch (problem) {
    log.warn("log: couldn't write the crash report:", problem);
  }
}

function writeCrashReport(what: string, error: unknown): void {
  const content = withoutSecrets(`${what}\n${about()}\n\n${textOf(error)}\n`);
  lastCrash = Math.max(Date.now(), lastCrash + 1);
  const name = `${new Date(lastCrash).toISOString().replaceAll(':', '-')}.txt`;
  // First, which frees space on a full disk.
  for (const old of crashReports().slice(0, 1 - mostCrashReports)) rmSync(join(crashFolder(), old));
  writeFileAtomically(join(crashFolder(), name), content);
}

/** In milliseconds, to make names unique. */
let lastCrash = 0;

/** By age, the newest last. */
function crashReports(): string[] {
  try {
    return readdirSync(crashFolder())
      .filter((name) => name.endsWith('.txt'))
      .sort();
  } catch {
    // No crash yet.
    return [];
  }
}

/** Returns facts about the computer and the app for bug reports, for the clipboard. */
export function diagnostics(state: Record<string, string>): string {
  const lines = Object.entries(state).map(([name, value]) => `${name}: ${value}`);
  const size = statSync(logFile(), { throwIfNoEntry: false })?.size ?? 0;
  return withoutSecrets(
    [about(), ...lines, `Log: ${size} bytes`, `Crashes: ${crashReports().join(', ') || 'none'}`].join('\n'),
  );
}

function about(): string {
  const { electron, chrome, node } = process.versions;
  return [
    `Gatehouse ${app.getVersion()}${app.isPackaged ? '' : ', not packaged'}`,
    `Electron ${electron ?? '-'}, Chromium ${chrome ?? '-'}, Node ${node}`,
    `${process.platform} ${process.arch} ${process.getSystemVersion?.() ?? ''}`,
  ].join('\n');
}

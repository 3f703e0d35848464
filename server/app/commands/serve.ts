import { resolve } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { systemClock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { ignoreBrokenPipe } from '../../platform/core/process.ts';
import { warnOfWidePermissions } from '../../platform/database/sqlite/database-files.ts';
import { listen } from '../../platform/http/listen.ts';
import { buildsConsole, isConsoleBuilt } from '../console-routes.ts';
import { createHomeserver, type Homeserver, type HomeserverOptions } from '../homeserver.ts';
import { ownCommand, quoted } from '../own-command.ts';
import type { Part } from './processes.ts';

/**
 * Lines on their way to a stream that is written on the spot: a log has one for each request, and to write it
 * would cost more than the request. Lines wait for each other for a moment, and none is left behind at the end.
 */

/** How long the first line waits for others, in milliseconds. */
const gathering = 20;
/** As many bytes are written without waiting for more. */
const enough = 65_536;
const newline = 0x0a;
/** A character of a text has up to so many bytes. */
const widest = 3;

/** @param write takes whole lines, at once: the bytes are others afterwards */
function gatherLines(write: (lines: Uint8Array) => void): (line: string) => void {
  // Bytes and no text: what waits for so long would otherwise be moved to where memory is seldom freed.
  const gathered = Buffer.allocUnsafeSlow(enough);
  let end = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered.subarray(0, end);
    end = 0;
    if (lines.length > 0) write(lines);
  }
  process.on('exit', flush);

  return (line) => {
    const most = line.length * widest + 1;
    if (end + most > enough) flush();
    if (most > enough) {
      write(Buffer.from(`${line}\n`));
      return;
    }
    // Without its end: the line is kept elsewhere, and to be written makes one piece of the many that it was put
    // together from.
    end += gathered.write(line, end);
    gathered[end++] = newline;
    timer ??= setTimeout(flush, gathering).unref();
  };
}

/**
 * Runs the homeserver until it is told to stop, as one process or as several on the same ports. Design: "The command
 * line".
 *
 * @throws ConfigurationError where it can't run like this
 */
export async function serve(source: ConfigSource, processes: number): Promise<void> {
  ignoreBrokenPipe();
  if (processes > 1) return serveWithOthers(source, processes);
  const config = await loadConfig(source);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const urls = await run(config);
  if (urls) sayWhere(urls, source);
}

async function serveWithOthers(source: ConfigSource, count: number): Promise<void> {
  const { partOfThisProcess, runProcesses, sayReady, sayRefusal } = await import('./processes.ts');
  const config = await loadConfig(source);
  const part = partOfThisProcess();
  if (part) {
    try {
      if (await run(configOf(config, part), { sharesPorts: true })) await sayReady();
    } catch (error) {
      if (!(error instanceof ConfigurationError) || !(await sayRefusal(error.message))) throw error;
    }
    return;
  }
  if (config.database.name === 'sqlite3') {
    throw new ConfigurationError(
      '--processes',
      'SQLite supports a single server process',
      'remove the option or configure a PostgreSQL database',
    );
  }
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const { ports, urls } = await findPorts(config);
  if (!(await runProcesses(count, ports, say, () => sayWhere(urls, source)))) process.exitCode = 1;
}

/**
 * Which port each listener has, and where that is: a free one is found once for all processes.
 *
 * @throws ConfigurationError where another program, or another server's processes, have a port already
 */
async function findPorts({ listeners }: Config): Promise<{ ports: number[]; urls: string[] }> {
  const found = await Promise.all(
    listeners.map((listener) => listen([listener], () => {}, { clock: systemClock, log: nobody })),
  );
  await Promise.all(found.map((each) => each.close()));
  const ports = found.map(
    ({ urls: [url = ''] }, index) => Number(new URL(url).port) || listeners[index]?.port,
  );
  return { ports: ports.map((port) => port ?? 0), urls: found.flatMap((each) => each.urls) };
}

/** What a process of several has of its own: a port for its figures, the configured one and those after it. */
const configOf = (config: Config, { number, ports }: Part): Config => ({
  ...config,
  listeners: config.listeners.map((listener, index) => ({
    ...listener,
    port: ports[index] ?? listener.port,
  })),
  metricsListeners: config.metricsListeners.map((listener) => ({
    ...listener,
    port: listener.port === 0 ? 0 : listener.port + number,
  })),
});

/** Gives every address where it listens; undefined where it was told to stop before it did. */
async function run(
  config: Config,
  options: Pick<HomeserverOptions, 'sharesPorts'> = {},
): Promise<string[] | undefined> {
  const told = new AbortController();
  const started = start(config, options, told.signal);
  const stop = () => {
    if (told.signal.aborted) return;
    told.abort();
    // Whatever a start is at, it may be killed there.
    const timer = setTimeout(() => process.exit(0), startPatience);
    // What stops a start is said by whoever waits for it.
    void started
      .catch(() => undefined)
      .then((homeserver) => {
        clearTimeout(timer);
        return homeserver?.stop();
      });
  };
  // Before anyone is told that it runs, and before anything is begun: whoever does may stop it at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  const homeserver = await started;
  return told.signal.aborted ? undefined : [...homeserver.urls];
}

/** How long a start that is told to stop may take to come to where it can be undone, in milliseconds. */
const startPatience = 2_000;

async function start(
  config: Config,
  options: Pick<HomeserverOptions, 'sharesPorts'>,
  told: AbortSignal,
): Promise<Homeserver> {
  const homeserver = await createHomeserver(config, { ...options, log: say, whenClaimIsLost: giveUp });
  if (told.aborted) return homeserver;
  for (const warning of warnOfWidePermissions(dataPaths(config))) say(`warning: ${warning}`);
  await homeserver.start();
  return homeserver;
}

/** Nothing can be kept any more, and nothing that is under way can end well: another server answers from now on. */
function giveUp(reason: string): void {
  say(`gatehouse: ${reason}: shutting down`);
  process.exit(1);
}

const dataPaths = ({ dataDir, database, signingKeyPath }: Config) => [
  dataDir,
  signingKeyPath,
  ...(database.name === 'sqlite3' ? [database.file] : []),
];

function sayWhere(urls: string[], { console: hasConsole = true, file, dataDir }: ConfigSource): void {
  process.stdout.write(urls.map((url) => `listening on ${url}\n`).join(''));
  const [url] = urls;
  if (!hasConsole || !url) return;
  if (!isConsoleBuilt()) {
    say(`The console isn't built: ${buildsConsole}`);
    return;
  }
  const data = `--data-dir ${quoted(resolve(dataDir))}`;
  const settings = file === undefined ? '' : ` --config ${quoted(resolve(file))}`;
  say(`Console: ${url}/console/`);
  say(
    `To sign in as an admin, run: ${ownCommand} users sign-in-link --console ${url}/console/ ${data}${settings}`,
  );
}

/** For listeners that are closed again at once. */
const nobody: Log = { error() {}, warn() {}, info() {} };

/** Standard output says only where the server listens; everything else goes where logs go. */
const say = gatherLines((lines) => void process.stderr.write(Uint8Array.from(lines)));

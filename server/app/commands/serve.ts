import { resolve } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { systemClock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { ignoreBrokenPipe } from '../../platform/core/process.ts';
import { warnOfWidePermissions } from '../../platform/database/sqlite/database-files.ts';
import { listen } from '../../platform/http/listen.ts';
import { howToBuildConsole, isConsoleBuilt } from '../console-routes.ts';
import { createHomeserver, type Homeserver, type HomeserverOptions } from '../homeserver.ts';
import { ownCommand, quoted } from '../own-command.ts';
import type { WorkerProcess } from './processes.ts';

/** How long lines are buffered, in milliseconds. */
const flushDelay = 20;

/** Buffers lines until the exit at the latest: standard error is synchronous, and a request's line would cost more than the request. */
function bufferLines(write: (text: string) => void): (line: string) => void {
  let text = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') write(text);
    text = '';
  }
  process.on('exit', flush);

  return (line) => {
    text += `${line}\n`;
    timer ??= setTimeout(flush, flushDelay).unref();
  };
}

/**
 * Runs the homeserver until a signal stops it, as one or several processes on the same ports.
 *
 * @throws ConfigurationError
 */
export async function serve(source: ConfigSource, processes: number): Promise<void> {
  ignoreBrokenPipe();
  if (processes > 1) return serveWithWorkers(source, processes);
  const config = await loadConfig(source);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const urls = await run(config);
  if (urls) printUrls(urls, source);
}

async function serveWithWorkers(source: ConfigSource, count: number): Promise<void> {
  const { thisWorker, runProcesses, reportReady, reportRefusal } = await import('./processes.ts');
  const config = await loadConfig(source);
  const worker = thisWorker();
  if (worker) {
    try {
      if (await run(configOf(config, worker), { sharesPorts: true })) await reportReady();
    } catch (error) {
      if (!(error instanceof ConfigurationError) || !(await reportRefusal(error.message))) throw error;
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
  if (!(await runProcesses(count, ports, say, () => printUrls(urls, source)))) process.exitCode = 1;
}

/**
 * Returns the port of each listener, and their URLs. Port 0 becomes a free port, the same for all workers.
 *
 * @throws ConfigurationError if a port is in use
 */
async function findPorts({ listeners }: Config): Promise<{ ports: number[]; urls: string[] }> {
  const found = await Promise.all(
    listeners.map((listener) => listen([listener], () => {}, { clock: systemClock, log: noLog })),
  );
  await Promise.all(found.map((each) => each.close()));
  const ports = found.map(
    ({ urls: [url = ''] }, index) => Number(new URL(url).port) || listeners[index]?.port,
  );
  return { ports: ports.map((port) => port ?? 0), urls: found.flatMap((each) => each.urls) };
}

/** Each worker has its own metrics port: the configured one plus the worker's number. */
const configOf = (config: Config, { number, ports }: WorkerProcess): Config => ({
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

/** Returns the URLs of the listeners; undefined if it was stopped while starting. */
async function run(
  config: Config,
  options: Pick<HomeserverOptions, 'sharesPorts'> = {},
): Promise<string[] | undefined> {
  const stopping = new AbortController();
  const started = start(config, options, stopping.signal);
  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    // A start may be killed at any point.
    const timer = setTimeout(() => process.exit(0), startTimeout);
    // Its errors are handled below.
    void started
      .catch(() => undefined)
      .then((homeserver) => {
        clearTimeout(timer);
        return homeserver?.stop();
      });
  };
  // Before anything starts, and before a supervisor, which may stop it at once, knows that it runs.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  const homeserver = await started;
  return stopping.signal.aborted ? undefined : [...homeserver.urls];
}

/** How long a start may continue after a signal before the process exits, in milliseconds. */
const startTimeout = 2_000;

async function start(
  config: Config,
  options: Pick<HomeserverOptions, 'sharesPorts'>,
  stopping: AbortSignal,
): Promise<Homeserver> {
  const homeserver = await createHomeserver(config, { ...options, log: say, whenClaimIsLost: giveUp });
  if (stopping.aborted) return homeserver;
  for (const warning of warnOfWidePermissions(dataPaths(config))) say(`warning: ${warning}`);
  await homeserver.start();
  return homeserver;
}

/** Exits without a graceful shutdown: another server has taken over the data. */
function giveUp(reason: string): void {
  say(`gatehouse: ${reason}: shutting down`);
  process.exit(1);
}

const dataPaths = ({ dataDir, database, signingKeyPath }: Config) => [
  dataDir,
  signingKeyPath,
  ...(database.name === 'sqlite3' ? [database.file] : []),
];

function printUrls(urls: string[], { console: hasConsole = true, file, dataDir }: ConfigSource): void {
  process.stdout.write(urls.map((url) => `listening on ${url}\n`).join(''));
  const [url] = urls;
  if (!hasConsole || !url) return;
  if (!isConsoleBuilt()) {
    say(`The console isn't built: ${howToBuildConsole}`);
    return;
  }
  const data = `--data-dir ${quoted(resolve(dataDir))}`;
  const settings = file === undefined ? '' : ` --config ${quoted(resolve(file))}`;
  say(`Console: ${url}/console/`);
  say(
    `To sign in as an admin, run: ${ownCommand} users sign-in-link --console ${url}/console/ ${data}${settings}`,
  );
}

/** For listeners that only find free ports. */
const noLog: Log = { error() {}, warn() {}, info() {} };

/** Standard output has only the URLs; everything else goes to standard error. */
const say = bufferLines((text) => void process.stderr.write(text));

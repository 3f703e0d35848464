/**
 * Runs one server as several worker processes on the same ports. The supervisor serves nothing itself: it starts the
 * workers, restarts crashed ones and stops with them. The kernel distributes new connections among the workers (SO_REUSEPORT).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { readJson } from '../../../shared/read-json.ts';

/** Backoff before a crashed worker is restarted, in milliseconds. */
const firstDelay = 200;
const longestDelay = 10_000;
/** Run time after which the backoff is reset, in milliseconds. */
const stableAfter = 30_000;

/** How long a worker may take to stop before it is killed, in milliseconds. Longer than a graceful shutdown takes. */
const stopTimeout = 15_000;

/** `number` counts from 0; `ports` has the port of each listener. */
export type WorkerProcess = { number: number; ports: number[] };

/** From a worker to the supervisor: it listens, or a startup error. */
type Message = 'listening' | { refusal: string };

/** Exit code after a startup error. */
const refused = 1;

const variable = 'GATEHOUSE_PROCESS';

/** Returns which worker this process is; undefined in the supervisor. A worker stops if the supervisor has died. */
export function thisWorker(): WorkerProcess | undefined {
  const text = process.env[variable];
  if (!process.send || !text) return undefined;
  process.once('disconnect', stopSelf);
  if (!process.connected) stopSelf();
  process.channel?.unref();
  return readJson(text);
}

const stopSelf = () => process.kill(process.pid, 'SIGTERM');

/** Reports to the supervisor that this worker listens. */
export async function reportReady(): Promise<void> {
  if (!(await send('listening'))) stopSelf();
}

/**
 * Reports a startup error to the supervisor, which prints it once for all workers. Returns false if the supervisor has
 * died.
 */
export async function reportRefusal(refusal: string): Promise<boolean> {
  process.exitCode = refused;
  return send({ refusal });
}

/** Returns false if the supervisor has died. */
const send = (message: Message) =>
  new Promise<boolean>((resolve) => {
    if (process.send) process.send(message, undefined, undefined, (error) => resolve(!error));
    else resolve(false);
  });

/**
 * Runs workers, with the arguments of this process, until a signal stops them.
 *
 * @param ports of the listeners
 * @param say prints a line for the operator
 * @param whenReady called once all workers listen
 * @returns false after a startup error, which has been printed
 */
export async function runProcesses(
  count: number,
  ports: number[],
  say: (line: string) => void,
  whenReady: () => void,
): Promise<boolean> {
  const stopping = new AbortController();
  const running = new Set<ChildProcess>();
  /** Workers that have never listened. */
  const awaited = new Set(Array.from({ length: count }, (_, number) => number));
  /** Startup errors printed since a worker last listened. */
  const refusals = new Set<string>();
  /** Workers that failed with an error that has been printed. */
  const reported = new WeakSet<ChildProcess>();
  let isRefused = false;
  const stop = () => {
    stopping.abort();
    const ending = [...running];
    for (const child of ending) child.kill('SIGTERM');
    setTimeout(() => ending.map((child) => child.kill('SIGKILL')), stopTimeout).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);

  function start(number: number): ChildProcess {
    const worker: WorkerProcess = { number, ports };
    const env = { ...process.env, [variable]: JSON.stringify(worker) };
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), { env });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.on('message', (message: Message) => {
      if (message === 'listening') noteReady(number);
      else if (refusals.has(message.refusal)) reported.add(child);
      else printRefusal(message.refusal);
    });
    return child;
  }

  /** Starts a worker and keeps it running. A startup error stops all workers. */
  async function runWorker(number: number): Promise<void> {
    const child = start(number);
    if (!(await untilReady(child)) && !stopping.signal.aborted && (await untilEnd(child))[0] === refused) {
      isRefused = true;
      return stop();
    }
    await keepRunning(number, child);
  }

  async function keepRunning(number: number, first: ChildProcess): Promise<void> {
    let delay = firstDelay;
    for (let child = first; ; child = start(number)) {
      const begun = performance.now();
      const [code, signal] = await untilEnd(child);
      if (stopping.signal.aborted) return;
      if (!reported.has(child)) {
        say(`gatehouse: process ${child.pid} exited (${signal ?? `code ${code}`}); restarting`);
      }
      if (performance.now() - begun > stableAfter) delay = firstDelay;
      await wait(delay, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      delay = Math.min(longestDelay, delay * 2);
    }
  }

  function noteReady(number: number): void {
    refusals.clear();
    if (awaited.delete(number) && awaited.size === 0) whenReady();
  }

  function printRefusal(refusal: string): void {
    say(`gatehouse: ${refusal}`);
    refusals.add(refusal);
  }

  // First a single worker, so that a startup error occurs once.
  const first = start(0);
  if (!(await untilReady(first)) || stopping.signal.aborted) {
    await untilEnd(first);
    return stopping.signal.aborted;
  }
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
  await Promise.all([keepRunning(0, first), ...others.map(runWorker)]);
  return !isRefused;
}

/** Resolves to false if the worker exits before it listens. */
function untilReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message: Message) => message === 'listening' && resolve(true));
    child.once('exit', () => resolve(false));
  });
}

async function untilEnd(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return [exitCode, signalCode];
  return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
}

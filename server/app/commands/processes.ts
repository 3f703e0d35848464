/**
 * One server as several processes on the same ports. This one serves nothing itself: it starts the others, starts one
 * again that has crashed, and ends with them. The system shares new connections out among them, so none is lost with
 * a process that had not taken it. Design: "Several processes".
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { readJson } from '../../../shared/read-json.ts';

/** How long it takes until a crashed process is started again, in milliseconds; longer each time it doesn't last. */
const firstDelay = 200;
const longestDelay = 10_000;
/** A process that has run for so long has lasted, in milliseconds. */
const lasting = 30_000;

/** How long a process may take to end that was told to, in milliseconds: longer than it does unless it stands still. */
const longestEnding = 15_000;

/** What each process is told: which one it is, from 0, and the port of each listener. */
export type Part = { number: number; ports: number[] };

/** What a process says to the one that started it: that it listens, or why it was refused. */
type Message = 'listening' | { refusal: string };

/** The exit code of a process that was refused. */
const refused = 1;

const variable = 'GATEHOUSE_PROCESS';

/**
 * Which part of a server this process is; undefined where it is the one that starts the others. A part stops when that
 * one is gone: nobody would start it again, or tell it to stop.
 */
export function partOfThisProcess(): Part | undefined {
  const text = process.env[variable];
  if (!process.send || !text) return undefined;
  process.once('disconnect', stopAlone);
  if (!process.connected) stopAlone();
  // What keeps it running is that it serves.
  process.channel?.unref();
  return readJson(text);
}

const stopAlone = () => process.kill(process.pid, 'SIGTERM');

/** Tells the process that started this one that it listens. */
export async function sayReady(): Promise<void> {
  if (!(await send('listening'))) stopAlone();
}

/** Tells it why this one is refused, to be said once for all of them. Gives false where nobody would say it. */
export async function sayRefusal(refusal: string): Promise<boolean> {
  process.exitCode = refused;
  return send({ refusal });
}

/** Gives false where the process that started this one is gone. */
const send = (message: Message) =>
  new Promise<boolean>((resolve) => {
    if (process.send) process.send(message, undefined, undefined, (error) => resolve(!error));
    else resolve(false);
  });

/**
 * Runs so many processes until it is told to stop. They are started with the arguments of this one.
 *
 * @param ports of the listeners
 * @param say gets what an operator should know
 * @param whenReady is called once all of them listen
 * @returns whether they ran at all; where one of them was refused at the first start, it has said why
 */
export async function runProcesses(
  count: number,
  ports: number[],
  say: (line: string) => void,
  whenReady: () => void,
): Promise<boolean> {
  const stopping = new AbortController();
  const running = new Set<ChildProcess>();
  /** Those of which none has listened yet. */
  const awaited = new Set(Array.from({ length: count }, (_, number) => number));
  /** What has been said since one of them listened last. */
  const refusals = new Set<string>();
  /** Those that were refused for what has been said. */
  const known = new WeakSet<ChildProcess>();
  let isRefused = false;
  const stop = () => {
    stopping.abort();
    const ending = [...running];
    for (const child of ending) child.kill('SIGTERM');
    setTimeout(() => ending.map((child) => child.kill('SIGKILL')), longestEnding).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);

  function start(number: number): ChildProcess {
    const part: Part = { number, ports };
    const env = { ...process.env, [variable]: JSON.stringify(part) };
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), { env });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.on('message', (message: Message) => {
      if (message === 'listening') noteReady(number);
      else if (refusals.has(message.refusal)) known.add(child);
      else sayRefused(message.refusal);
    });
    return child;
  }

  /** Starts one process and keeps it running; where it is refused at once, so are all. */
  async function runAnother(number: number): Promise<void> {
    const child = start(number);
    if (!(await untilReady(child)) && !stopping.signal.aborted && (await untilEnd(child))[0] === refused) {
      isRefused = true;
      return stop();
    }
    await keepRunning(number, child);
  }

  /** Keeps one process running, beginning with one that was started. */
  async function keepRunning(number: number, first: ChildProcess): Promise<void> {
    let delay = firstDelay;
    for (let child = first; ; child = start(number)) {
      const begun = performance.now();
      const [code, signal] = await untilEnd(child);
      if (stopping.signal.aborted) return;
      if (!known.has(child)) {
        say(`gatehouse: process ${child.pid} exited (${signal ?? `code ${code}`}); restarting`);
      }
      if (performance.now() - begun > lasting) delay = firstDelay;
      await wait(delay, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      delay = Math.min(longestDelay, delay * 2);
    }
  }

  /** Whichever attempt of each it is that listens first. */
  function noteReady(number: number): void {
    refusals.clear();
    if (awaited.delete(number) && awaited.size === 0) whenReady();
  }

  function sayRefused(refusal: string): void {
    say(`gatehouse: ${refusal}`);
    refusals.add(refusal);
  }

  // Alone at first: what has to be refused is refused once.
  const first = start(0);
  if (!(await untilReady(first)) || stopping.signal.aborted) {
    await untilEnd(first);
    return stopping.signal.aborted;
  }
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
  await Promise.all([keepRunning(0, first), ...others.map(runAnother)]);
  return !isRefused;
}

/** Whether a process listens, once that is known: it may end before. */
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

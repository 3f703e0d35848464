/** Starts, restarts and stops the process of the built-in homeserver. */

import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { type UtilityProcess, utilityProcess } from 'electron';
import type { LocalServerState } from '../../shared/bridge.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { SentenceValues } from '../../shared/sentence.ts';
import { keepCrashReport, log } from '../log.ts';
import { restartDelay } from './back-off.ts';
import type { Answers, FromHomeserver, Question, ToHomeserver } from './homeserver-messages.ts';

const stopsWithinMs = 10_000;
const endsWithinMs = 1_000;

/**
 * Waits for running work, and kills the process if that takes too long.
 *
 * @param ended resolves when it has exited
 */
async function endProcess(child: UtilityProcess, ended: Promise<void>): Promise<void> {
  child.postMessage({ type: 'stop' } satisfies ToHomeserver);
  if (await endsWithin(ended, stopsWithinMs)) return;
  child.kill();
  if (await endsWithin(ended, endsWithinMs)) return;
  if (child.pid) process.kill(child.pid, 'SIGKILL');
}

async function endsWithin(end: Promise<void>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  try {
    return await Promise.race([end.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Name in process lists and in Electron. */
export const homeserverName = 'Gatehouse homeserver';

const startsWithinMs = 30_000;
const answersWithinMs = 120_000;

/** As in `bin/gatehouse.js`, a young generation of fixed size. */
const heapFlags = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

type HomeserverProcessOptions = {
  /** The bundle that the process runs, and its arguments. */
  modulePath: string;
  arguments: string[];
  /** Additional arguments until the first successful start: later the data may be empty on purpose. */
  firstArguments?: string[];
  onChange(state: LocalServerState): void;
};

export class HomeserverProcess {
  readonly #options: HomeserverProcessOptions;
  readonly #questions = new Map<number, PromiseWithResolvers<unknown>>();
  #state: LocalServerState = { status: 'stopped' };
  #child: UtilityProcess | undefined;
  #ended = Promise.resolve();
  #crashes: number[] = [];
  #more: string[] = [];
  #nextStart: NodeJS.Timeout | undefined;
  #lastQuestion = 0;
  #isOver = false;
  #hasRun = false;
  #leftBusy = false;
  /** Requests of the page wait for a start in progress. */
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(options: HomeserverProcessOptions) {
    this.#options = options;
  }

  get state(): LocalServerState {
    return this.#state;
  }

  /**
   * Whether it was busy when it last stopped, as far as reported; a crashed server has reported nothing. False if it
   * won't restart automatically: updates would wait forever for one that keeps crashing.
   */
  get leftBusy(): boolean {
    return this.#leftBusy;
  }

  /** @param more additional arguments, until the next start that isn't a restart after a crash */
  start(more: string[] = []): void {
    if (this.#isOver || this.#child || this.#nextStart) return;
    this.#crashes = [];
    this.#more = more;
    this.#launch('starting');
  }

  async restart(): Promise<void> {
    // Requests in the meantime wait for the new process.
    await this.stop('restarting');
    this.start();
  }

  /** Waits for running work, and kills the process if that takes too long. Resolves when it has exited. */
  async stop(status: 'stopped' | 'restarting' = 'stopped'): Promise<void> {
    clearTimeout(this.#nextStart);
    this.#nextStart = undefined;
    const child = this.#child;
    const ended = this.#ended;
    this.#child = undefined;
    this.#change({ status });
    if (child) await endProcess(child, ended);
    // Also waits if it is already stopping: the next process needs exclusive use of the data.
    await ended;
  }

  /** Like `stop`, but final: a pending restart is canceled. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.stop();
  }

  /**
   * Returns the address once it runs.
   *
   * @throws ConnectionFailure `unreachable` if it was stopped, given up or takes too long
   */
  async url(): Promise<string> {
    const signal = AbortSignal.timeout(startsWithinMs);
    for (;;) {
      const { status, url, message } = this.#state;
      if (url) return url;
      if (status === 'failed' || status === 'stopped') {
        throw message === undefined
          ? unreachable(
              /*i18n*/ "The local server isn't running. Choose “Start or restart” in the “Local server” menu.",
            )
          : unreachable(message.sentence, message.values);
      }
      await once(this.#changes, 'change', { signal }).catch(() => {
        throw unreachable(
          /*i18n*/ 'The local server is slow to start. Wait, or choose “Start or restart” in the “Local server” menu.',
        );
      });
    }
  }

  /**
   * Sends a request that only the homeserver's process can handle.
   *
   * @throws ConnectionFailure `unreachable` if it isn't running, `refused` with its own message
   */
  async ask<Type extends Question['type']>(type: Type): Promise<Answers[Type]> {
    await this.url();
    const id = ++this.#lastQuestion;
    const answer = Promise.withResolvers<unknown>();
    this.#questions.set(id, answer);
    const timer = setTimeout(
      () => answer.reject(unreachable(/*i18n*/ "The local server didn't respond.")),
      answersWithinMs,
    );
    this.#child?.postMessage({ type, id } as ToHomeserver);
    try {
      // The reply comes from our own process, in the shape of its request.
      return (await answer.promise) as Answers[Type];
    } finally {
      clearTimeout(timer);
      this.#questions.delete(id);
    }
  }

  #launch(status: 'starting' | 'restarting'): void {
    this.#nextStart = undefined;
    this.#change({ status });
    const { modulePath, arguments: args, firstArguments = [] } = this.#options;
    const all = [...args, ...(this.#hasRun ? [] : firstArguments), ...this.#more];
    const child = utilityProcess.fork(modulePath, all, {
      serviceName: homeserverName,
      execArgv: heapFlags,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => log.warn(`local server: ${line}`));
    }
    const ended = Promise.withResolvers<void>();
    this.#child = child;
    this.#ended = ended.promise;

    let fault: string | undefined;
    let followEnd = (code: number) => this.#crashed(code, fault);
    child.on('message', (message: FromHomeserver) => {
      if (message.type === 'start-failed') followEnd = () => this.#refused(message.message);
      else if (message.type === 'data-lost') followEnd = () => this.#dataLost(message.message);
      else if (message.type === 'stopping') this.#leftBusy = message.isBusy;
      else if (this.#child === child) this.#receive(message);
    });
    // The process exits on its own after a V8 fault. The attached report contains the environment and isn't kept.
    child.on('error', (kind, location) => {
      fault = `${kind}, ${location}`;
      log.error(`local server: error: ${fault}`);
    });
    child.on('exit', (code) => {
      ended.resolve();
      this.#abandonQuestions();
      if (this.#child !== child) return;
      this.#child = undefined;
      followEnd(code);
    });
  }

  #refused(reason: string): void {
    const sentence = /*i18n*/ "The local server couldn't start: {reason}";
    this.#change({ status: 'failed', message: { sentence, values: { reason } } });
  }

  /** An automatic restart would create an empty server. */
  #dataLost(reason: string): void {
    log.error(`local server: stopped because its data was removed: ${reason}`);
    const sentence =
      /*i18n*/ 'The local server stopped because its data was removed ({reason}). Restore the data, or the server starts empty.';
    this.#giveUp({ sentence, values: { reason } });
  }

  #receive(message: Exclude<FromHomeserver, { type: 'start-failed' | 'data-lost' | 'stopping' }>): void {
    if (message.type === 'listening') {
      this.#hasRun = true;
      this.#leftBusy = true;
      const { url, addresses, isOpen } = message;
      this.#change({ status: 'running', url, addresses, isOpen });
      return;
    }
    const question = this.#questions.get(message.id);
    if (message.type === 'answer') question?.resolve(message.value);
    else {
      const sentence = /*i18n*/ 'Local server error: {reason}';
      question?.reject(new ConnectionFailure('refused', sentence, { reason: message.message }));
    }
  }

  #crashed(exitCode: number, fault?: string): void {
    const code = fault ? `${exitCode}, ${fault}` : exitCode;
    log.error(`local server: crashed (exit code ${code})`);
    keepCrashReport('The local server crashed', `exit code ${code}`);
    this.#crashes.push(Date.now());
    const delay = restartDelay(this.#crashes);
    if (delay === undefined) {
      const sentence =
        /*i18n*/ "The local server keeps crashing (exit code {code}) and won't restart automatically. Start it to retry.";
      log.error('local server: keeps crashing, not restarted automatically');
      this.#giveUp({ sentence, values: { code } });
      return;
    }
    const message = { sentence: /*i18n*/ 'The local server crashed (exit code {code}).', values: { code } };
    // First, because a listener may stop it.
    this.#nextStart = setTimeout(() => this.#launch('restarting'), delay);
    this.#change({ status: 'restarting', message });
  }

  #giveUp(message: LocalServerState['message']): void {
    this.#leftBusy = false;
    this.#change({ status: 'failed', message });
  }

  #abandonQuestions(): void {
    for (const { reject } of this.#questions.values()) {
      reject(unreachable(/*i18n*/ 'The local server stopped before it responded. Retry.'));
    }
  }

  #change(state: LocalServerState): void {
    this.#state = state;
    this.#changes.emit('change');
    this.#options.onChange(state);
  }
}

const unreachable = (sentence: string, values?: SentenceValues) =>
  new ConnectionFailure('unreachable', sentence, values);

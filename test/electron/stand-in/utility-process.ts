/** `utilityProcess`: a Node process that exchanges messages with the main process through `parentPort`. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { theApp } from './app.ts';
import { LoudEmitter, loud, preventable } from './loud.ts';

type Stream = 'ignore' | 'inherit' | 'pipe';
type ForkOptions = { serviceName?: string; execArgv?: string[]; stdio?: Stream | Stream[] };

const part = (stdio: Stream | Stream[], at: number) =>
  Array.isArray(stdio) ? (stdio[at] ?? 'inherit') : stdio;

export const utilityProcesses = new Set<UtilityProcess>();

class UtilityProcess extends LoudEmitter {
  readonly modulePath: string;
  readonly #child: ChildProcess;

  constructor(
    modulePath: string,
    args: string[],
    { serviceName = 'Node Utility Process', execArgv = [], stdio = 'inherit' }: ForkOptions,
  ) {
    super('UtilityProcess', ['spawn', 'message', 'error', 'exit']);
    this.modulePath = modulePath;
    const register = new URL('utility-child.ts', import.meta.url).href;
    this.#child = fork(modulePath, args, {
      execArgv: ['--import', register, ...execArgv],
      // Copies messages with structured cloning.
      serialization: 'advanced',
      stdio: ['ignore', part(stdio, 1), part(stdio, 2), 'ipc'],
    });
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => {
      utilityProcesses.delete(this);
      const exitCode = code ?? signalNumber(signal);
      if (exitCode !== 0)
        theApp.emit('child-process-gone', preventable({}), gone(serviceName, exitCode, signal));
      this.emit('exit', exitCode);
    });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  get stderr(): Readable | null {
    return this.#child.stderr;
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(structuredClone(message) as object);
  }

  /** Simulates a fatal error in V8: the process exits after the event. */
  fail(location: string): void {
    this.emit('error', 'FatalError', location, JSON.stringify({ environmentVariables: process.env }));
    this.#child.kill('SIGKILL');
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

const gone = (name: string, exitCode: number, signal: string | null) => ({
  type: 'Utility',
  reason: signal === null ? 'abnormal-exit' : ['SIGKILL', 'SIGTERM'].includes(signal) ? 'killed' : 'crashed',
  exitCode,
  serviceName: 'node.mojom.NodeService',
  name,
});

const signalNumber = (signal: string | null) => (signal === 'SIGKILL' ? 9 : 15);

export const utilityProcess = loud('utilityProcess', {
  fork(modulePath: string, args: string[] = [], options: ForkOptions = {}) {
    if (!theApp.isReady()) throw new Error('utilityProcess cannot be used before the app is ready');
    const known = ['serviceName', 'execArgv', 'stdio'];
    const unknown = Object.keys(options).filter((option) => !known.includes(option));
    if (unknown.length > 0) throw new Error(`The stand-in does not know the fork options ${unknown}`);
    const child = new UtilityProcess(modulePath, args, options);
    utilityProcesses.add(child);
    return loud('UtilityProcess', child);
  },
});

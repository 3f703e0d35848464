/** Starting, stopping and setting up a server on this machine, for whichever program runs it. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { ConfigurationProblem } from '../../shared/workbench/configuration.ts';
import type { AppliedConfiguration, HostState, LocalHost, ResetServer } from '../../shared/workbench/host.ts';
import { planReset } from './plan-reset.ts';
import type { Throwaways } from './throwaways.ts';

/** The server itself, as the program runs it. */
export type Runner = {
  /** Resolves when it listens. @throws Error with a sentence where it doesn't start */
  start(): Promise<{ url: string }>;
  /** Resolves when it has gone, and its data is free. */
  stop(): Promise<void>;
  /** Makes a login token for the person at this machine; the given one, where one is given. */
  signInToken(wanted?: string): Promise<string>;
};

export type LocalHostOptions = {
  dataDir: string;
  runner: Runner;
  /** Servers beside this one. */
  throwaways: Throwaways;
  /** What is wrong with a configuration before it is tried, at the file where it would stand. */
  check(text: string, file: string): Promise<ConfigurationProblem[]>;
  /** Asked in its turn, before anything changes. @throws Error with a sentence where it is not to be done */
  permit?(change: 'apply' | 'reset'): Promise<void>;
};

/** @param options of a server that runs already, or is started by `start` */
export function createLocalHost({
  dataDir,
  runner,
  throwaways,
  check,
  permit,
}: LocalHostOptions): LocalHost & { close(): Promise<void> } {
  const settings = join(dataDir, 'homeserver.yaml');
  const where = { data_dir: dataDir, configuration_path: settings };
  let state: HostState = { status: 'stopped', ...where };
  let applied: AppliedConfiguration | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One thing after the other. */
  function inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const made = last.then(work);
    last = made.catch(() => {});
    return made;
  }

  const change = (changed: Omit<HostState, keyof typeof where | 'applied'>): HostState => {
    state = { ...changed, ...where, ...(applied && { applied }) };
    return state;
  };

  async function start(): Promise<HostState> {
    if (state.status === 'running') return state;
    change({ status: 'starting' });
    try {
      const { url } = await runner.start();
      return change({ status: 'running', url });
    } catch (error) {
      change({ status: 'failed', message: sentenceOf(error) });
      throw error;
    }
  }

  async function stop(): Promise<HostState> {
    await runner.stop();
    return change({ status: 'stopped' });
  }

  async function restart(): Promise<HostState> {
    await stop();
    return start();
  }

  async function reset({ kept_at: keptAt, login_token: token }: ResetServer): Promise<ResetServer> {
    await permit?.('reset');
    await stop();
    try {
      await beginAnew(dataDir, keptAt);
    } catch (error) {
      await start().catch(() => {}); // Where it doesn't: what it says is in the state.
      throw new ConnectionFailure(
        'refused',
        /*i18n*/ 'The server was not reset, because its data could not be moved: {reason}',
        { reason: sentenceOf(error) },
      );
    }
    await start();
    return { kept_at: keptAt, login_token: await runner.signInToken(token) };
  }

  async function apply(text: string): Promise<AppliedConfiguration> {
    const problems = await check(text, settings);
    if (problems.some(({ severity }) => severity === 'error')) return { outcome: 'refused', problems };
    await permit?.('apply');
    const before = existsSync(settings) ? await readFile(settings) : undefined;
    await replace(settings, text);
    try {
      applied = { outcome: 'applied', problems };
      await restart();
    } catch (error) {
      if (before) await replace(settings, before);
      else await rm(settings);
      applied = { outcome: 'went_back', problems, message: sentenceOf(error) };
      await restart().catch(() => {}); // It may not have run before: what it says is in the state.
    }
    return applied;
  }

  return {
    state: () => state,
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    restart: () => inTurn(restart),
    reset: (wanted = planReset(dataDir)) => inTurn(() => reset(wanted)),
    apply: (text) => inTurn(() => apply(text)),
    throwaways: throwaways.list,
    startThrowaway: throwaways.start,
    stopThrowaway: throwaways.stop,
    async close() {
      await throwaways.stopAll();
      await inTurn(stop);
    },
  };
}

/** Leaves an empty folder with the same configuration, or everything as it was. */
async function beginAnew(dataDir: string, keptAt: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await rename(dataDir, keptAt);
  try {
    await mkdir(dataDir, { mode: 0o700 });
    const kept = join(keptAt, 'homeserver.yaml');
    if (existsSync(kept)) await copyFile(kept, join(dataDir, 'homeserver.yaml'));
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    await rename(keptAt, dataDir);
    throw error;
  }
}

/** Whoever is killed on the way has one of both, whole. It holds secrets. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const next = `${file}.next`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(next, content, { mode: 0o600, flush: true });
  await rename(next, file);
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

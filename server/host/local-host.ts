/** Starting, stopping and setting up a server on this machine, for whichever program runs it. */
import { join } from 'node:path';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { ConfigurationProblem } from '../../shared/workbench/configuration.ts';
import type {
  AppliedConfiguration,
  HostState,
  LocalHost,
  ReplacedData,
  ResetServer,
} from '../../shared/workbench/host.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { dataOfBackup, emptyData, type Filling, keptData, setAside, settingsFile } from './exchange-data.ts';
import { planReset } from './plan-reset.ts';
import { dataFromBefore, forgetReplacement, goBack, noteReplacement } from './replacement.ts';
import type { Throwaways } from './throwaways.ts';
import { trySettings } from './tried-settings.ts';

/** The server itself, as the program runs it. */
export type Runner = {
  /** Resolves when it listens. @throws Error with a sentence where it doesn't start */
  start(): Promise<{ url: string }>;
  /** Resolves when it has gone, and its data is free. */
  stop(): Promise<void>;
  /** Makes a login token for the person at this machine; the given one, where one is given. */
  signInToken(wanted?: string): Promise<string>;
};

/** What is done to a server that can't be undone by starting it again. */
export type Change = 'apply' | 'reset' | 'restore' | 'take_back';

export type LocalHostOptions = {
  dataDir: string;
  runner: Runner;
  /** Servers beside this one. */
  throwaways: Throwaways;
  /** What is wrong with a configuration before it is tried, at the file where it would stand. */
  check(text: string, file: string): Promise<ConfigurationProblem[]>;
  /** Asked in its turn, before anything changes. @throws Error with a sentence where it is not to be done */
  permit?(change: Change): Promise<void>;
};

/** @param options of a server that runs already, or is started by `start` */
export function createLocalHost({
  dataDir,
  runner,
  throwaways,
  check,
  permit,
}: LocalHostOptions): LocalHost & {
  close(): Promise<void>;
  /** Does something to the server once what is being changed of it now is done. */
  whenIdle<Made>(work: () => Promise<Made>): Promise<Made>;
} {
  const settings = join(dataDir, settingsFile);
  const where = { data_dir: dataDir, configuration_path: settings };
  let applied: AppliedConfiguration | undefined;
  const before = dataFromBefore(dataDir);
  let replaced: ReplacedData | undefined =
    before === undefined ? undefined : { outcome: 'replaced', kept_at: before };
  let state: HostState = { status: 'stopped', ...where, ...(replaced && { replaced }) };
  let last: Promise<unknown> = Promise.resolve();

  /** One thing after the other. */
  function inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const made = last.then(work);
    last = made.catch(() => {});
    return made;
  }

  const change = (changed: Omit<HostState, keyof typeof where | 'applied' | 'replaced'>): HostState => {
    state = { ...changed, ...where, ...(applied && { applied }), ...(replaced && { replaced }) };
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

  async function exchange(
    how: 'reset' | 'restore' | 'take_back',
    { fill, from }: Filling,
    { kept_at: keptAt, login_token: token }: ResetServer,
  ): Promise<ResetServer> {
    await permit?.(how);
    await stop();
    try {
      await noteReplacement(dataDir, { step: 'begun', pid: process.pid, kept_at: keptAt, from });
      await setAside(dataDir, keptAt);
    } catch (error) {
      await forgetReplacement(dataDir);
      throw await goneBack(
        keptAt,
        new ConnectionFailure(
          'refused',
          /*i18n*/ 'Nothing has changed, because the data of the server could not be moved: {reason}',
          { reason: sentenceOf(error) },
        ),
      );
    }
    try {
      await fill(keptAt);
      // Whatever comes now, the data is whole: who starts next starts with it, and may have it keep what is new.
      await noteReplacement(dataDir, { step: 'done', kept_at: keptAt });
      replaced = { outcome: 'replaced', kept_at: keptAt };
      await start();
      return { kept_at: keptAt, login_token: await runner.signInToken(token) };
    } catch (error) {
      await runner.stop();
      await noteReplacement(dataDir, { step: 'begun', pid: process.pid, kept_at: keptAt, from });
      await goBack(dataDir, { kept_at: keptAt, from });
      throw await goneBack(
        keptAt,
        new ConnectionFailure('refused', /*i18n*/ 'The server runs on what it had before: {reason}', {
          reason: sentenceOf(error),
        }),
      );
    }
  }

  async function goneBack(keptAt: string, failure: ConnectionFailure): Promise<ConnectionFailure> {
    replaced = { outcome: 'went_back', kept_at: keptAt, message: failure.message };
    change({ status: 'stopped' });
    await start().catch(() => {}); // Where it doesn't: what it says is in the state.
    return failure;
  }

  async function restore(archive: string, planned: ResetServer): Promise<ResetServer> {
    const { readBackup } = await import('../backup/restore-backup.ts');
    const { settings } = await readBackup(archive).catch((error) => {
      throw new ConnectionFailure('refused', /*i18n*/ 'Nothing has changed: {reason}', {
        reason: error instanceof ConfigurationError ? error.sentence : sentenceOf(error),
      });
    });
    return exchange('restore', dataOfBackup(dataDir, archive, settings !== undefined), planned);
  }

  async function takeBack(planned: ResetServer): Promise<ResetServer> {
    if (replaced?.outcome !== 'replaced') {
      throw new ConnectionFailure('refused', /*i18n*/ 'There is no reset and no restore to be taken back.');
    }
    return exchange('take_back', keptData(dataDir, replaced.kept_at), planned);
  }

  async function apply(text: string): Promise<AppliedConfiguration> {
    const problems = await check(text, settings);
    if (problems.some(({ severity }) => severity === 'error')) return { outcome: 'refused', problems };
    await permit?.('apply');
    const trial = await trySettings(dataDir, text);
    try {
      applied = { outcome: 'applied', problems };
      await restart();
      await trial.keep();
    } catch (error) {
      await trial.takeBack();
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
    reset: (wanted = planReset(dataDir)) => inTurn(() => exchange('reset', emptyData(dataDir), wanted)),
    restore: (archive, wanted = planReset(dataDir)) => inTurn(() => restore(archive, wanted)),
    takeBack: (wanted = planReset(dataDir)) => inTurn(() => takeBack(wanted)),
    apply: (text) => inTurn(() => apply(text)),
    whenIdle: (work) => last.then(work),
    throwaways: throwaways.list,
    startThrowaway: throwaways.start,
    stopThrowaway: throwaways.stop,
    async close() {
      await throwaways.stopAll();
      await inTurn(stop);
    },
  };
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

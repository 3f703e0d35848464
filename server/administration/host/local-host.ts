/** Starting, stopping and setting up a server on this machine, for whichever program runs it. */
import { join } from 'node:path';
import { ConnectionFailure } from '../../../shared/connection.ts';
import type { ConfigurationProblem } from '../../../shared/workbench/configuration.ts';
import type {
  AppliedConfiguration,
  HostState,
  LocalHost,
  ReplacedData,
  ResetServer,
} from '../../../shared/workbench/host.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import { dataOfBackup, emptyData, type Filling, keptData, setAside, settingsFile } from './exchange-data.ts';
import { dataFromBefore, forgetReplacement, goBack, noteBegin, noteEnd } from './replacement.ts';
import type { Throwaways } from './throwaways.ts';
import { type Trial, trySettings } from './tried-settings.ts';

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
  /** Does something to the server in its turn, as everything else that is done to it. */
  inTurn<Made>(work: () => Promise<Made>): Promise<Made>;
  /** Resolves when nothing is changed half any more: its data may be in two places till then. Nothing is begun after it. */
  finish(): Promise<void>;
} {
  const settings = join(dataDir, settingsFile);
  const where = { data_dir: dataDir, configuration_path: settings };
  let applied: AppliedConfiguration | undefined;
  const before = dataFromBefore(dataDir);
  let replaced: ReplacedData | undefined =
    before === undefined ? undefined : { outcome: 'replaced', kept_at: before };
  let starts = 0;
  let state: HostState = { status: 'stopped', starts, ...where, ...(replaced && { replaced }) };
  let last: Promise<unknown> = Promise.resolve();
  let underWay: Promise<unknown> = Promise.resolve();
  let isEnding = false;

  /** One thing after the other. */
  function inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const made = last.then(work);
    last = made.catch(() => {});
    return made;
  }

  /** What is done once the person has said so is done to its end. */
  async function onceAgreed<Made>(how: Change, work: () => Promise<Made>): Promise<Made> {
    await permit?.(how);
    if (isEnding) {
      throw new ConnectionFailure('refused', /*i18n*/ 'Nothing has changed: the app is quitting.');
    }
    const made = work();
    underWay = made.catch(() => {});
    return made;
  }

  const change = (
    changed: Omit<HostState, keyof typeof where | 'starts' | 'applied' | 'replaced'>,
  ): HostState => {
    state = { ...changed, starts, ...where, ...(applied && { applied }), ...(replaced && { replaced }) };
    return state;
  };

  async function start(): Promise<HostState> {
    if (state.status === 'running') return state;
    change({ status: 'starting' });
    try {
      const { url } = await runner.start();
      starts++;
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
    { fill, from }: Filling,
    { kept_at: keptAt, login_token: token }: ResetServer,
  ): Promise<ResetServer> {
    await stop();
    const places = { kept_at: keptAt, from };
    try {
      await noteBegin(dataDir, places);
      await setAside(dataDir, keptAt).catch(async (error) => {
        await forgetReplacement(dataDir);
        throw error;
      });
    } catch (error) {
      throw await goneBack(
        keptAt,
        new ConnectionFailure(
          'refused',
          /*i18n*/ "Nothing has changed. Couldn't move the server data: {reason}",
          { reason: sentenceOf(error) },
        ),
      );
    }
    let isWhole = false;
    try {
      await fill(keptAt);
      // Whatever comes now, the data is whole: who starts next starts with it, and may have it keep what is new.
      await noteEnd(dataDir, places);
      isWhole = true;
      replaced = { outcome: 'replaced', kept_at: keptAt };
      await start();
      return { kept_at: keptAt, login_token: await runner.signInToken(token) };
    } catch (error) {
      await runner.stop();
      await (isWhole ? noteBegin(dataDir, places) : Promise.resolve())
        .then(() => goBack(dataDir, places))
        .catch(couldNotGoBack);
      throw await goneBack(
        keptAt,
        new ConnectionFailure('refused', /*i18n*/ 'The server runs on its previous data: {reason}', {
          reason: sentenceOf(error),
        }),
      );
    }
  }

  /** What is noted still says what there is: the next start, or taking it back, makes one of it. */
  function couldNotGoBack(error: unknown): never {
    const failure = new ConnectionFailure(
      'refused',
      /*i18n*/ "The server isn't running. Its previous data is kept but couldn't be restored: {reason}",
      { reason: sentenceOf(error) },
    );
    change({ status: 'failed', message: failure.message });
    throw failure;
  }

  async function goneBack(keptAt: string, failure: ConnectionFailure): Promise<ConnectionFailure> {
    replaced = { outcome: 'went_back', kept_at: keptAt, message: failure.message };
    change({ status: 'stopped' });
    await start().catch(() => {}); // Where it doesn't: what it says is in the state.
    return failure;
  }

  async function restore(archive: string, planned: ResetServer): Promise<ResetServer> {
    const { readBackup } = await import('../backup/read-backup.ts');
    const { settings } = await readBackup(archive).catch((error) => {
      throw new ConnectionFailure('refused', /*i18n*/ 'Nothing has changed: {reason}', {
        reason: error instanceof ConfigurationError ? error.sentence : sentenceOf(error),
      });
    });
    const filling = dataOfBackup(dataDir, archive, settings !== undefined);
    return onceAgreed('restore', () => exchange(filling, planned));
  }

  async function takeBack(planned: ResetServer): Promise<ResetServer> {
    if (replaced?.outcome !== 'replaced') {
      throw new ConnectionFailure('refused', /*i18n*/ 'No reset or restore to undo.');
    }
    const filling = keptData(dataDir, replaced.kept_at);
    return onceAgreed('take_back', () => exchange(filling, planned));
  }

  async function apply(text: string): Promise<AppliedConfiguration> {
    const problems = await check(text, settings);
    if (problems.some(({ severity }) => severity === 'error')) return { outcome: 'refused', problems };
    return onceAgreed('apply', () => tryOut(text, problems));
  }

  async function tryOut(text: string, problems: ConfigurationProblem[]): Promise<AppliedConfiguration> {
    let trial: Trial | undefined;
    try {
      trial = await trySettings(dataDir, text);
      applied = { outcome: 'applied', problems };
      await restart();
      await trial.keep();
    } catch (error) {
      await trial?.takeBack();
      const reason = sentenceOf(error);
      applied = trial
        ? { outcome: 'went_back', problems, message: reason }
        : { outcome: 'refused', problems, message: `couldn't write ${settings}: ${reason}` };
      // Whoever waits for it waits for this. It may not have run before: what it says is in the state.
      await restart().catch(() => {});
    }
    return applied;
  }

  return {
    state: () => state,
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    restart: () => inTurn(restart),
    reset: (wanted = planReset(dataDir)) =>
      inTurn(() => onceAgreed('reset', () => exchange(emptyData(dataDir), wanted))),
    restore: (archive, wanted = planReset(dataDir)) => inTurn(() => restore(archive, wanted)),
    takeBack: (wanted = planReset(dataDir)) => inTurn(() => takeBack(wanted)),
    apply: (text) => inTurn(() => apply(text)),
    inTurn,
    async finish() {
      isEnding = true;
      await underWay;
    },
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

/** Where a reset is going to leave the data, and by which token one gets in afterwards. */
export const planReset = (dataDir: string): ResetServer => ({
  kept_at: `${dataDir}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`,
  login_token: randomSecret(),
});

/** Starts, stops and sets up a server on this computer, for the program that runs it. */
import { rename, rm, writeFile } from 'node:fs/promises';
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
import { createDirectory } from '../../platform/core/files.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import {
  emptyData,
  previousData,
  restoreData,
  restoreFolder,
  restorePrevious,
  settingsFile,
} from './replace-data.ts';
import type { TemporaryServers } from './temporary-servers.ts';

/** The server itself, as the program runs it. */
export type Runner = {
  /**
   * Resolves when the server listens.
   *
   * @param settingsFrom file to read in place of `homeserver.yaml`, under whose name it is used
   * @throws Error with a sentence if the server doesn't start
   */
  start(settingsFrom?: string): Promise<{ url: string }>;
  /** Resolves when the server has stopped and released its data. */
  stop(): Promise<void>;
  /** Creates a login token for the local administrator; the given one, if any. */
  signInToken(wanted?: string): Promise<string>;
};

/** A change that a restart doesn't undo. */
export type Change = 'apply' | 'reset' | 'restore' | 'take_back';

export type LocalHostOptions = {
  dataDir: string;
  runner: Runner;
  /** Servers beside this one. */
  temporaryServers: TemporaryServers;
  /** Returns the problems of a configuration as if it were in the file. */
  check(text: string, file: string): Promise<ConfigurationProblem[]>;
  /** Called before anything changes. @throws Error with a sentence to refuse the change */
  permit?(change: Change): Promise<void>;
};

/** @param options of a server that runs already, or is started by `start` */
export function createLocalHost({
  dataDir,
  runner,
  temporaryServers,
  check,
  permit,
}: LocalHostOptions): LocalHost & {
  close(): Promise<void>;
  /** Runs an operation on the server after all earlier ones. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the change in progress, if any, is complete. Later ones are refused. */
  finish(): Promise<void>;
} {
  const settings = join(dataDir, settingsFile);
  const trial = `${settings}.next`;
  const paths = { data_dir: dataDir, configuration_path: settings };
  let applied: AppliedConfiguration | undefined;
  const previous = previousData(dataDir);
  let replaced: ReplacedData | undefined =
    previous === undefined ? undefined : { outcome: 'replaced', kept_at: previous };
  let starts = 0;
  let state: HostState = { status: 'stopped', starts, ...paths, ...(replaced && { replaced }) };
  let last: Promise<unknown> = Promise.resolve();
  let inProgress: Promise<unknown> = Promise.resolve();
  let isEnding = false;

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  /** Asks for permission, and lets `finish` wait for the change. */
  async function whenPermitted<Result>(what: Change, work: () => Promise<Result>): Promise<Result> {
    await permit?.(what);
    if (isEnding) {
      throw new ConnectionFailure('refused', /*i18n*/ 'Nothing has changed: the app is quitting.');
    }
    const result = work();
    inProgress = result.catch(() => {});
    return result;
  }

  const change = (
    changed: Omit<HostState, keyof typeof paths | 'starts' | 'applied' | 'replaced'>,
  ): HostState => {
    state = { ...changed, starts, ...paths, ...(applied && { applied }), ...(replaced && { replaced }) };
    return state;
  };

  /** @param isTrial to start with the configuration on trial, and keep it if that succeeds */
  async function start(isTrial = false): Promise<HostState> {
    if (state.status === 'running') return state;
    change({ status: 'starting' });
    try {
      const { url } = await runner.start(isTrial ? trial : undefined);
      if (isTrial) await rename(trial, settings);
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

  async function restart(isTrial = false): Promise<HostState> {
    await stop();
    return start(isTrial);
  }

  /** @param from folder of the new content, which is moved back if the server doesn't start with it */
  async function exchange(
    replace: () => Promise<void>,
    { kept_at: keptAt, login_token: token }: ResetServer,
    from?: string,
  ): Promise<ResetServer> {
    await stop();
    try {
      await replace();
    } catch (error) {
      throw await startAgain(keptAt, nothingChanged(error));
    }
    replaced = { outcome: 'replaced', kept_at: keptAt };
    try {
      await start();
      return { kept_at: keptAt, login_token: await runner.signInToken(token) };
    } catch (error) {
      await runner.stop();
      await restorePrevious(dataDir, keptAt, from).catch(couldNotPutBack);
      throw await startAgain(
        keptAt,
        new ConnectionFailure('refused', /*i18n*/ 'The server runs on its previous data: {reason}', {
          reason: sentenceOf(error),
        }),
      );
    }
  }

  function couldNotPutBack(error: unknown): never {
    const failure = new ConnectionFailure(
      'refused',
      /*i18n*/ "The server isn't running. Its previous data is kept but couldn't be restored: {reason}",
      { reason: sentenceOf(error) },
    );
    change({ status: 'failed', message: failure.message });
    throw failure;
  }

  /** With the previous data. Returns the failure that led to it. */
  async function startAgain(keptAt: string, failure: ConnectionFailure): Promise<ConnectionFailure> {
    replaced = { outcome: 'went_back', kept_at: keptAt, message: failure.message };
    change({ status: 'stopped' });
    // A failure to start is in the state.
    await start().catch(() => {});
    return failure;
  }

  async function restore(archive: string, planned: ResetServer): Promise<ResetServer> {
    const { readBackup } = await import('../backup/read-backup.ts');
    const { settings } = await readBackup(archive).catch((error) => {
      throw nothingChanged(error);
    });
    const replace = () => restoreData(dataDir, planned.kept_at, archive, settings !== undefined);
    return whenPermitted('restore', () => exchange(replace, planned));
  }

  async function takeBack(planned: ResetServer): Promise<ResetServer> {
    if (replaced?.outcome !== 'replaced') {
      throw new ConnectionFailure('refused', /*i18n*/ 'No reset or restore to undo.');
    }
    const from = replaced.kept_at;
    const replace = () => restoreFolder(dataDir, planned.kept_at, from);
    return whenPermitted('take_back', () => exchange(replace, planned, from));
  }

  async function apply(text: string): Promise<AppliedConfiguration> {
    const problems = await check(text, settings);
    if (problems.some(({ severity }) => severity === 'error')) return { outcome: 'refused', problems };
    return whenPermitted('apply', () => tryOut(text, problems));
  }

  async function tryOut(text: string, problems: ConfigurationProblem[]): Promise<AppliedConfiguration> {
    let isWritten = false;
    try {
      createDirectory(dataDir, 0o700);
      await writeFile(trial, text, { mode: 0o600, flush: true });
      isWritten = true;
      applied = { outcome: 'applied', problems };
      await restart(true);
    } catch (error) {
      const reason = sentenceOf(error);
      applied = isWritten
        ? { outcome: 'went_back', problems, message: reason }
        : { outcome: 'refused', problems, message: `couldn't write ${settings}: ${reason}` };
      await rm(trial, { force: true }).catch(() => {});
      // Callers over HTTP wait for a restart. A failure to start is in the state.
      await restart().catch(() => {});
    }
    return applied;
  }

  return {
    state: () => state,
    start: () => inTurn(() => start()),
    stop: () => inTurn(stop),
    restart: () => inTurn(() => restart()),
    reset: (planned = planReset(dataDir)) =>
      inTurn(() =>
        whenPermitted('reset', () => exchange(() => emptyData(dataDir, planned.kept_at), planned)),
      ),
    restore: (archive, planned = planReset(dataDir)) => inTurn(() => restore(archive, planned)),
    takeBack: (planned = planReset(dataDir)) => inTurn(() => takeBack(planned)),
    apply: (text) => inTurn(() => apply(text)),
    inTurn,
    async finish() {
      isEnding = true;
      await inProgress;
    },
    temporaryServers: temporaryServers.list,
    startTemporaryServer: temporaryServers.start,
    stopTemporaryServer: temporaryServers.stop,
    async close() {
      await temporaryServers.stopAll();
      await inTurn(stop);
    },
  };
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const nothingChanged = (error: unknown) =>
  new ConnectionFailure('refused', /*i18n*/ 'Nothing has changed: {reason}', {
    reason: error instanceof ConfigurationError ? error.sentence : sentenceOf(error),
  });

/** Returns where a reset leaves the data, and a token to sign in with afterwards. */
export const planReset = (dataDir: string): ResetServer => ({
  kept_at: `${dataDir}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`,
  login_token: randomSecret(),
});

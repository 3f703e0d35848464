/** Operations on the server process, such as restarting it or replacing its data. Only one runs at a time. */
import { type UseMutationResult, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useContext, useMemo } from 'react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { getHost, type HostState } from '../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { useConsole } from '../../console-context.ts';
import type { LocalProgram, Replacement } from '../../transport/host.ts';
import { programOverHttp, type Workbench } from '../../transport/workbench.ts';
import { WorkbenchContext } from './workbench-context.ts';

const sentences = {
  start: /*i18n*/ 'Starting server…',
  stop: /*i18n*/ 'Stopping server…',
  restart: /*i18n*/ 'Restarting server…',
  apply: /*i18n*/ 'Applying configuration…',
  reset: /*i18n*/ 'Resetting server…',
  restore: /*i18n*/ 'Restoring backup…',
  take_back: /*i18n*/ 'Restoring previous data…',
};
export type ServerOperation = keyof typeof sentences;

/** Prefix of all mutation keys of operations. */
export const anyOperation = ['server operation'];

export const operationKey = (operation: ServerOperation) => [...anyOperation, operation];

/** Returns the last operation and its start in milliseconds; undefined if there was none or it failed. */
export function useLastOperation(): { operation: ServerOperation; startedAt: number } | undefined {
  const last = useMutationState({
    filters: { mutationKey: anyOperation },
    select: ({ options: { mutationKey }, state }) => ({
      operation: mutationKey?.[1] as ServerOperation,
      startedAt: state.submittedAt,
      isDone: state.status === 'success',
    }),
  }).at(-1);
  return last?.isDone ? last : undefined;
}

/** Returns the running operation with its untranslated progress sentence, if any. */
export function useRunningOperation(): { operation: ServerOperation; sentence: string } | undefined {
  const [operation] = useMutationState({
    filters: { mutationKey: anyOperation, status: 'pending' },
    select: ({ options: { mutationKey } }) => mutationKey?.[1] as ServerOperation,
  });
  return operation && { operation, sentence: sentences[operation] };
}

/** Returns the controls of the process that runs the local server; undefined if it can't be reached. */
export function useProgram(): LocalProgram | undefined {
  const { host } = useConsole();
  const workbench = useContext(WorkbenchContext);
  return useMemo(() => host.shell?.program ?? (workbench && programOverHttp(workbench)), [host, workbench]);
}

const pollMs = 150;
const restartTimeoutMs = 45_000;
/** Restoring a backup with a million reports takes minutes. */
const replacementTimeoutMs = 15 * 60_000;

/** Returns how often the server has started. Read it before a restart, and pass it to `waitForRestart`. */
export const startCountOf = async (workbench: Workbench): Promise<number> =>
  (await hostState(workbench)).starts;

/**
 * Resolves with the host state once the server has restarted.
 *
 * @param starts the start count before the restart
 * @throws the last failure if the server isn't back within 45 s
 */
export const waitForRestart = (workbench: Workbench, starts: number): Promise<HostState> =>
  poll(async () => {
    const state = await hostState(workbench);
    return state.status === 'running' && state.starts > starts ? state : undefined;
  });

/**
 * Resolves once the server runs on the new data, with whether this session is still valid.
 *
 * @param keptAt the path that the previous data was moved to
 * @throws ConnectionFailure if the server returned to the previous data, with the reason
 */
async function waitForReplacement(workbench: Workbench, keptAt: string): Promise<'signed in' | 'signed out'> {
  const result = await poll(async () => {
    try {
      const { replaced, status } = await hostState(workbench);
      return replaced?.kept_at === keptAt && status === 'running' ? replaced : undefined;
    } catch (error) {
      if (error instanceof ConnectionFailure && error.code === 'bad_credentials') return 'signed out';
      throw error;
    }
  }, replacementTimeoutMs);
  if (result === 'signed out') return result;
  if (result.outcome === 'replaced') return 'signed in';
  throw new ConnectionFailure('refused', /*i18n*/ 'Failed: {reason}', {
    reason: result.message ?? '',
  });
}

const hostState = ({ get }: Workbench) => get(getHost.response[200], workbenchPaths.host);

/** Calls `read` until it returns a value; failures count only after the timeout. */
async function poll<Value>(
  read: () => Promise<Value | undefined>,
  timeoutMs = restartTimeoutMs,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    try {
      const value = await read();
      if (value !== undefined) return value;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) {
      throw new ConnectionFailure('timeout', /*i18n*/ 'Not restarted yet. Check again shortly.');
    }
  }
}

/**
 * Replaces the server's data and signs in again. Resolves with the path of the previous data, or null if the user
 * cancelled.
 */
export function useDataReplacement<Input = void>(
  workbench: Workbench,
  operation: ServerOperation,
  replace: (input: Input) => Promise<Replacement | undefined>,
): UseMutationResult<string | null, Error, Input> {
  const { host } = useConsole();
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationKey: operationKey(operation),
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: async (input: Input) => {
      const replacement = await replace(input);
      if (!replacement) return null;
      const { kept_at, login_token } = replacement;
      if (host.shell) await host.shell.connectLocal();
      else if ((await waitForReplacement(workbench, kept_at)) === 'signed out' && login_token !== undefined) {
        await host.connect(workbench.connection.baseUrl, { type: 'login_token', token: login_token });
      }
      return kept_at;
    },
    onSuccess: async (keptAt) => {
      if (keptAt === null) return;
      queryClient.removeQueries({ queryKey: [workbench.connection.id] });
      await queryClient.invalidateQueries();
      await router.invalidate();
    },
  });
}

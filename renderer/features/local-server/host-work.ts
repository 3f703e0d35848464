/** What is being done to the server by the program that runs it: one thing at a time. */
import { type UseMutationResult, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useContext, useMemo } from 'react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { getHost, type HostState } from '../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { useConsole } from '../../console-context.ts';
import {
  type LocalProgram,
  programOverBridge,
  programOverHttp,
  type Replacing,
} from '../../transport/local-host.ts';
import type { Workbench } from '../../transport/workbench.ts';
import { Bench } from './bench.ts';

const sentences = {
  start: /*i18n*/ 'Starting server…',
  stop: /*i18n*/ 'Stopping server…',
  restart: /*i18n*/ 'Restarting server…',
  apply: /*i18n*/ 'Applying configuration…',
  reset: /*i18n*/ 'Resetting server…',
  restore: /*i18n*/ 'Restoring backup…',
  take_back: /*i18n*/ 'Restoring previous data…',
};
export type HostWork = keyof typeof sentences;

/** The beginning of every such key. */
export const anyHostWork = ['host work'];

/** The key of a mutation that does it. */
export const hostWork = (work: HostWork) => [...anyHostWork, work];

/** What was done last, and when it was asked for; undefined where nothing was, or it failed. */
export function useLastHostWork(): { work: HostWork; askedFor: number } | undefined {
  const last = useMutationState({
    filters: { mutationKey: anyHostWork },
    select: ({ options: { mutationKey }, state }) => ({
      work: mutationKey?.[1] as HostWork,
      askedFor: state.submittedAt,
      isDone: state.status === 'success',
    }),
  }).at(-1);
  return last?.isDone ? last : undefined;
}

/** What is being done now, with the sentence that says so; undefined where nothing is. */
export function useHostWork(): { work: HostWork; sentence: string } | undefined {
  const [work] = useMutationState({
    filters: { mutationKey: anyHostWork, status: 'pending' },
    select: ({ options: { mutationKey } }) => mutationKey?.[1] as HostWork,
  });
  return work && { work, sentence: sentences[work] };
}

/** The program that runs the local server; undefined where it can't be asked. */
export function useProgram(): LocalProgram | undefined {
  const { host } = useConsole();
  const bench = useContext(Bench);
  return useMemo(() => {
    if (host.shell && window.gatehouse) return programOverBridge(window.gatehouse);
    return bench && programOverHttp(bench);
  }, [host, bench]);
}

const looksEveryMs = 150;
const looksForMs = 45_000;
/** A server with a million reports takes its time to come out of a backup. */
const looksForDataMs = 15 * 60_000;

/** Asked before the server is told to go: how often it was started then. */
export const startsOf = async (bench: Workbench): Promise<number> => (await hostState(bench)).starts;

/**
 * Resolves when the server, which was told to go and come back, runs again, with what its program says then.
 *
 * @param starts how often it had been started before
 * @throws the last failure where it does not come back within 45 s
 */
export const untilItRunsAgain = (bench: Workbench, starts: number): Promise<HostState> =>
  lookUntil(async () => {
    const state = await hostState(bench);
    return state.status === 'running' && state.starts > starts ? state : undefined;
  });

/**
 * Resolves when the server runs on other data, and says whether that knows this session.
 *
 * @param keptAt where the data from before was to be kept
 * @throws ConnectionFailure where it went back to the data from before, with its reason
 */
async function untilItIsReplaced(bench: Workbench, keptAt: string): Promise<'known' | 'signed out'> {
  const found = await lookUntil(async () => {
    try {
      const { replaced, status } = await hostState(bench);
      return replaced?.kept_at === keptAt && status === 'running' ? replaced : undefined;
    } catch (error) {
      if (error instanceof ConnectionFailure && error.code === 'bad_credentials') return 'signed out';
      throw error;
    }
  }, looksForDataMs);
  if (found === 'signed out') return found;
  if (found.outcome === 'replaced') return 'known';
  throw new ConnectionFailure('refused', /*i18n*/ 'Failed: {reason}', {
    reason: found.message ?? '',
  });
}

const hostState = ({ get }: Workbench) => get(getHost.response[200], workbenchPaths.host);

async function lookUntil<Found>(look: () => Promise<Found | undefined>, forMs = looksForMs): Promise<Found> {
  const until = Date.now() + forMs;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, looksEveryMs));
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    if (Date.now() > until) {
      throw new ConnectionFailure('timeout', /*i18n*/ 'Not restarted yet. Check again shortly.');
    }
  }
}

/**
 * Has the data of the server replaced, and signs in to what is there then. Its result is where the data from before is
 * kept; null where the person thought better of it.
 */
export function useReplacing<Input = void>(
  bench: Workbench,
  work: HostWork,
  replace: (input: Input) => Promise<Replacing | undefined>,
): UseMutationResult<string | null, Error, Input> {
  const { host } = useConsole();
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationKey: hostWork(work),
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: async (input: Input) => {
      const begun = await replace(input);
      if (!begun) return null;
      const { kept_at, login_token } = begun;
      if (host.shell) await host.shell.connectLocal();
      else if ((await untilItIsReplaced(bench, kept_at)) === 'signed out' && login_token !== undefined) {
        await host.connect(bench.connection.baseUrl, { type: 'login_token', token: login_token });
      }
      return kept_at;
    },
    onSuccess: async (keptAt) => {
      if (keptAt === null) return;
      queryClient.removeQueries({ queryKey: [bench.connection.id] });
      await queryClient.invalidateQueries();
      await router.invalidate();
    },
  });
}

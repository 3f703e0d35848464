import { ConnectionFailure } from '../../../shared/connection.ts';
import { getHost, type HostState } from '../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import type { Workbench } from '../../transport/workbench.ts';

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
export async function untilItIsReplaced(bench: Workbench, keptAt: string): Promise<'known' | 'signed out'> {
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

/** The program that runs a server on this machine, as the page can ask it. Loaded only where someone looks into it. */
import { EmptyObject } from '../../shared/api/common.ts';
import type { Bridge } from '../../shared/bridge.ts';
import {
  type AppliedConfiguration,
  getHost,
  listThrowaways,
  putHostConfiguration,
  resetHost,
  startThrowaway,
  type Throwaway,
} from '../../shared/workbench/host.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import { sendBackup } from './backup.ts';
import { invokerOf } from './invoke.ts';
import type { Workbench } from './workbench.ts';

/** Where the old data is, and how to sign in to the new server, where the program does not do it itself. */
export type Replacing = { kept_at: string; login_token?: string };

/** Everything throws `ConnectionFailure`. */
export type LocalProgram = {
  /** Left out where the page goes with the server. */
  start?(): Promise<unknown>;
  stop(): Promise<unknown>;
  restart(): Promise<unknown>;
  reset(): Promise<Replacing>;
  /**
   * The backup is the given one; in the desktop app the person is asked for one, and may think better of it.
   *
   * @param onBytes told how much of the given one has been sent so far
   */
  restore(backup: File | undefined, onBytes: (bytes: number) => void): Promise<Replacing | undefined>;
  takeBack(): Promise<Replacing>;
  /** Where the data is that `takeBack` goes back to; null where there is none. */
  keptData(): Promise<string | null>;
  /** `pending`: the text is right, and the server goes now to be started with it. */
  apply(text: string): Promise<AppliedConfiguration & { pending?: boolean }>;
  throwaways(): Promise<Throwaway[]>;
  startThrowaway(name: string | undefined): Promise<Throwaway>;
  stopThrowaway(name: string): Promise<unknown>;
};

/** Over HTTP: the reply comes before the server goes. */
export const programOverHttp = ({ connection, get, send }: Workbench): LocalProgram => ({
  stop: () => send('POST', EmptyObject, workbenchPaths.hostStop, {}),
  restart: () => send('POST', EmptyObject, workbenchPaths.hostRestart, {}),
  reset: () => send('POST', resetHost.response[200], workbenchPaths.hostReset, {}),
  restore: async (backup, onBytes) => (backup ? sendBackup(connection, backup, onBytes) : undefined),
  takeBack: () => send('POST', resetHost.response[200], workbenchPaths.hostTakeBack, {}),
  async keptData() {
    const { replaced } = await get(getHost.response[200], workbenchPaths.host);
    return replaced?.outcome === 'replaced' ? replaced.kept_at : null;
  },
  async apply(text) {
    const applied = await send('PUT', putHostConfiguration.response[200], workbenchPaths.hostConfiguration, {
      text,
    });
    return { ...applied, pending: applied.outcome === 'applied' };
  },
  throwaways: async () => (await get(listThrowaways.response[200], workbenchPaths.hostThrowaways)).servers,
  startThrowaway: (name) =>
    send('POST', startThrowaway.response[200], workbenchPaths.hostThrowaways, name ? { name } : {}),
  stopThrowaway: (name) =>
    send('DELETE', EmptyObject, `${workbenchPaths.hostThrowaways}/${encodeURIComponent(name)}`),
});

/** In the desktop app, whose main process runs the server. */
export function programOverBridge(bridge: Bridge): LocalProgram {
  const invoke = invokerOf(bridge);
  return {
    start: () => invoke('local-server:start', undefined),
    stop: () => invoke('local-server:stop', undefined),
    restart: () => invoke('local-server:restart', undefined),
    reset: () => invoke('local-server:reset', undefined),
    async restore() {
      const { kept_at } = await invoke('local-server:restore', undefined);
      return kept_at === undefined ? undefined : { kept_at };
    },
    takeBack: () => invoke('local-server:take-back', undefined),
    keptData: async () => (await invoke('local-server:kept', undefined)).kept_at ?? null,
    apply: (text) => invoke('local-server:apply', { text }),
    throwaways: () => invoke('local-server:throwaways', undefined),
    startThrowaway: (name) => invoke('local-server:start-throwaway', name ? { name } : {}),
    stopThrowaway: (name) => invoke('local-server:stop-throwaway', { name }),
  };
}

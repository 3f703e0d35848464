/** What a server on this machine shows testers and does for them. Contract: `shared/workbench/`. */
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Connection } from '../../shared/connection.ts';
import type { DesktopSettings } from '../../shared/desktop-settings.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import type { ConsoleHost, Shell } from '../transport/host.ts';

export const connectionsQuery = (host: ConsoleHost) =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: () => host.listConnections(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

const key = ['desktop-settings'];

/** What the person has chosen of the desktop app; the system can change some of it as well. */
export const desktopSettingsQuery = (shell: Shell) =>
  queryOptions({ queryKey: key, queryFn: () => shell.settings(), staleTime: 0 });

/** Whether the system shows notifications, as far as it says so. */
export const notificationsShownQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['notifications-shown'],
    queryFn: () => shell.notificationsShown(),
    staleTime: 0,
  });

export const chooseDesktopSettings = (shell: Shell) =>
  mutationOptions({
    mutationKey: key,
    mutationFn: (chosen: DesktopSettings) => shell.chooseSettings(chosen),
    onSuccess: (settings, _chosen, _result, { client }) => client.setQueryData(key, settings),
  });

/** Asked once; from then on the shell tells of every change. */
export const localServerQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['local-server'],
    queryFn: () => shell.localServerState(),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const startLocalServer = (shell: Shell) =>
  mutationOptions({ mutationFn: () => shell.startLocalServer() });

/**
 * Keeps what is known of the homeserver in the box up to date for as long as the page lives. Each time that
 * it runs again it may listen elsewhere, and what failed meanwhile is asked for again.
 */
export function followLocalServer(shell: Shell, queryClient: QueryClient, onRunning: () => Promise<void>) {
  shell.onLocalServerChange(async (state) => {
    queryClient.setQueryData(localServerQuery(shell).queryKey, state);
    if (state.status !== 'running') return;
    await onRunning();
    await queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state: { status } }) => status === 'error',
    });
  });
}

/** Addresses of servers on this machine: no other one is asked. */
export const thisMachine = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Whether a server has a workbench that this person may use. A server elsewhere is not asked. */
export const hasWorkbenchQuery = (host: ConsoleHost, connection: Connection) =>
  queryOptions({
    queryKey: [connection.id, 'workbench'],
    queryFn: async ({ signal }) => {
      const { status } = await host.request(
        connection.id,
        { method: 'GET', path: workbenchPaths.inspector },
        { signal },
      );
      return status === 200;
    },
    enabled: thisMachine.test(new URL(connection.baseUrl).hostname),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Queries of the desktop shell and of a local server's developer tools. Contract: `shared/workbench/`. */
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

/** The desktop app's settings; the system can change some of them. */
export const desktopSettingsQuery = (shell: Shell) =>
  queryOptions({ queryKey: key, queryFn: () => shell.settings(), staleTime: 0 });

/** Whether the system shows notifications, if known. */
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

/** Loaded once; then the shell pushes every change. */
export const localServerQuery = (shell: Shell) =>
  queryOptions({
    queryKey: ['local-server'],
    queryFn: () => shell.localServerState(),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const startLocalServer = (shell: Shell) =>
  mutationOptions({ mutationFn: () => shell.startLocalServer() });

/**
 * Follows the built-in homeserver's state while the page lives. After a restart it may listen on another port, and
 * failed queries are retried.
 */
export function followLocalServer(shell: Shell, queryClient: QueryClient, onRunning: () => Promise<void>) {
  return shell.onLocalServerChange(async (state) => {
    queryClient.setQueryData(localServerQuery(shell).queryKey, state);
    if (state.status !== 'running') return;
    await onRunning();
    await queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state: { status } }) => status === 'error',
    });
  });
}

/** Loopback hosts, the only ones that are probed. */
export const loopbackHost = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Whether the server has developer tools that the user may use. Remote servers aren't probed. */
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
    enabled: loopbackHost.test(new URL(connection.baseUrl).hostname),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

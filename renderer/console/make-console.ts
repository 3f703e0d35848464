import type { RouterHistory } from '@tanstack/react-router';
import { deletedReports } from '../api/reports/deleted-reports.ts';
import { connectionsQuery, followLocalServer } from '../api/shell.ts';
import { commandRegistry } from '../components/commands.ts';
import { focusTracker } from '../components/focus-tracker.ts';
import { windowTitle } from '../components/page/window-title.ts';
import type { ConsoleContext } from '../console-context.ts';
import { entryFailureOf } from '../features/connect/login-link.ts';
import { followExternalNavigation } from '../features/frame/external-navigation.ts';
import { openDeviceStorage } from '../persisted.ts';
import { consoleQueryClient } from '../query-client.ts';
import { consoleRouter } from '../router.ts';
import type { ConsoleHost, Entry } from '../transport/host.ts';
import { reachabilityStore } from '../transport/reachability.ts';
import { connectedServers } from '../transport/servers.ts';

type Options = {
  /** Values that the console stores on this device, and in this tab. */
  storages?: { local: Storage; session: Storage };
  /** The page's by default. */
  history?: RouterHistory;
};

/**
 * Creates all of the console's state. Two consoles in one page share its address, its title and `i18n`, and caches
 * without users' data.
 */
export function makeConsole(
  host: ConsoleHost,
  { storages = { local: localStorage, session: sessionStorage }, history }: Options = {},
) {
  const deviceStorage = openDeviceStorage(storages);
  const queryClient = consoleQueryClient();
  const reachability = reachabilityStore();
  const context: ConsoleContext = {
    host,
    deviceStorage,
    queryClient,
    reachability,
    servers: connectedServers(host, reachability, deviceStorage),
    commands: commandRegistry(deviceStorage),
    deletedReports: deletedReports(),
    focus: focusTracker(),
    title: windowTitle(),
    listStates: new Map(),
    scrollTops: new Map(),
    entryFailure: undefined,
  };
  const router = consoleRouter(context, history);
  let isEntered = false;

  async function connectionsChanged() {
    // The first screen loads them itself.
    if (!isEntered) return;
    await queryClient.invalidateQueries(connectionsQuery(host));
    await router.invalidate();
  }
  const { shell } = host;
  const stops = shell ? [followLocalServer(shell, queryClient, connectionsChanged)] : [];

  return {
    ...context,
    router,
    /** Finishes the sign-in that led to this page, if there is one; the sign-in screen shows why it failed. */
    async enter(entry: Entry) {
      try {
        await host.enter(entry, () => void connectionsChanged());
      } catch (error) {
        context.entryFailure = entryFailureOf(error, entry.loginToken !== undefined);
      }
      isEntered = true;
      if (shell) stops.push(followExternalNavigation(shell, router));
    },
    /** Ends timers, listeners, sync loops and channels. */
    close() {
      for (const stop of stops) stop();
      context.servers.close();
      context.focus.close();
      queryClient.clear();
      deviceStorage.close();
      host.close();
    },
  };
}

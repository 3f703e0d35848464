import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import type { DeletedReports } from './api/reports/deleted-reports.ts';
import type { Command, CommandRegistry } from './components/commands.ts';
import type { FocusTracker } from './components/focus-tracker.ts';
import type { WindowTitle } from './components/page/window-title.ts';
import type { DeviceStorage } from './persisted.ts';
import type { ConsoleHost } from './transport/host.ts';
import type { ReachabilityStore } from './transport/reachability.ts';
import type { Server } from './transport/server.ts';
import type { Servers } from './transport/servers.ts';

/** All of the console's state, created by `makeConsole`; every route has it. */
export type ConsoleContext = {
  host: ConsoleHost;
  /** Values kept on this device. */
  deviceStorage: DeviceStorage;
  queryClient: QueryClient;
  reachability: ReachabilityStore;
  servers: Servers;
  commands: CommandRegistry;
  deletedReports: DeletedReports;
  focus: FocusTracker;
  title: WindowTitle;
  /** Scroll positions and selections of tables, by history entry and name. */
  listStates: Map<string, unknown>;
  /** Scroll positions of report lists, by name. */
  scrollTops: Map<string, number>;
  /** The error of the sign-in that led to this page. */
  entryFailure: { title: string; text: string } | undefined;
};

export const Console = createContext<ConsoleContext | undefined>(undefined);
export const CurrentServer = createContext<Server | undefined>(undefined);

export function useConsole(): ConsoleContext {
  const value = useContext(Console);
  if (!value) throw new Error('useConsole is used outside of the console');
  return value;
}

/** The server whose screens are shown. */
export function useServer(): Server {
  const value = useContext(CurrentServer);
  if (!value) throw new Error('useServer is used where no server is connected');
  return value;
}

/** The same on screens that don't need one. */
export const useServerIfAny = (): Server | undefined => useContext(CurrentServer);

/** Offers these commands for as long as the component is on screen. */
export function useCommands(commands: readonly Command[]) {
  const { commands: registry } = useConsole();
  const latest = useRef(commands);
  useEffect(() => registry.provide(latest), [registry]);
  useEffect(() => {
    latest.current = commands;
    registry.notify();
  });
}

/**
 * Defers the shortcuts of the open item while another one is loading.
 *
 * @param list name of the list; changing it drops deferred keys
 * @param openId the open item
 */
export function useDeferredShortcuts(
  isOpening: () => boolean,
  list: string,
  openId: number | string | undefined,
) {
  const { commands: registry } = useConsole();
  const shown = useRef({ openId, provided: openId });
  shown.current.openId = openId;
  // Once the screen shows that an item can't be loaded, keys don't wait for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for another list
  useLayoutEffect(
    () => registry.registerPending(() => isOpening() || shown.current.openId !== shown.current.provided),
    [registry, isOpening, list],
  );
  useEffect(() => {
    shown.current.provided = openId;
    registry.notify();
  }, [registry, openId]);
}

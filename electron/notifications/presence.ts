/** The app's background features, as enabled by the user: polling and notifications. */
import { BrowserWindow, powerMonitor } from 'electron';
import { Value } from 'typebox/value';
import type { InvocationInput, LocalServerState } from '../../shared/bridge.ts';
import type { Send } from '../../shared/connection.ts';
import { inOrder, Looks } from '../../shared/connection-look.ts';
import { type DesktopSettings, isQuiet } from '../../shared/desktop-settings.ts';
import type { LinkTarget } from '../../shared/link.ts';
import type { Connections } from '../connections/connections.ts';
import type { JsonFile } from '../json-file.ts';
import { askReports } from './ask-reports.ts';
import { showBadge } from './badge.ts';
import { markOf } from './connection-mark.ts';
import { reportNotifications } from './report-notifications.ts';
import { type NotifiedReports, watchReports } from './report-watch.ts';
import type { Settings } from './settings.ts';
import { trayOf } from './tray.ts';

type PresenceOptions = {
  settings: Settings;
  notified: JsonFile<NotifiedReports>;
  looks: JsonFile<Looks>;
  connections: Connections;
  send: Send;
  localServer(): LocalServerState;
  open(): void;
  show(connectionId: string, shown: LinkTarget): void;
};

type Unreviewed = InvocationInput<'reports:unreviewed'>;

export function createPresence({
  settings,
  notified,
  looks,
  connections,
  send,
  localServer,
  open,
  show,
}: PresenceOptions) {
  /** As last reported by the console, by connection. */
  const unreviewed = new Map<string, Unreviewed>();
  /** Connection whose reports are shown in the window, if any. */
  let shown: string | undefined;
  let badge = 0;

  const notifications = reportNotifications(show);
  const setTray = trayOf({ open, openServer: (id) => show(id, { kind: 'queue' }) });
  const watch = watchReports({
    notified,
    ask: (id, kind, limit) => askReports(connections, send, id, kind, limit),
    isEnabled: (id) => settings.read().notifications.includes(id),
    mayNotify(id) {
      const chosen = settings.read();
      return chosen.notifications.includes(id) && !isQuiet(chosen.quiet, new Date());
    },
    notify(id, news) {
      const connection = connections.known().find((known) => known.id === id);
      if (connection && !(news.kind === 'event' && isLookedAt(id)))
        notifications.notify(connection, markOf(connection, looks.read()), news);
    },
    onChange: showAll,
  });

  /** The reports screen itself shows new event reports. */
  const isLookedAt = (id: string) =>
    id === shown && BrowserWindow.getAllWindows().some((window) => window.isFocused());

  function unreviewedOf(id: string): number {
    const known = unreviewed.get(id);
    const totals = watch.totalsOf(id);
    const since = known?.total ?? totals?.first ?? 0;
    return (known?.unreviewed ?? 0) + Math.max(0, (totals?.now ?? since) - since);
  }

  /** Polls the servers with notifications enabled. */
  function update(): void {
    const chosen = settings.read();
    const followed = connections
      .known()
      .map(({ id }) => id)
      .filter((id) => chosen.badge || chosen.tray || chosen.notifications.includes(id));
    watch.follow(followed);
    showAll();
  }

  function showAll(): void {
    const chosen = settings.read();
    const known = connections.known();
    const count = chosen.badge ? known.reduce((sum, { id }) => sum + unreviewedOf(id), 0) : 0;
    // New windows haven't received it yet.
    if (count > 0 || badge > 0) showBadge(count);
    badge = count;
    setTray(
      chosen.tray
        ? {
            servers: inOrder(known, looks.read()).map((connection) => ({
              ...markOf(connection, looks.read()),
              id: connection.id,
              state: watch.stateOf(connection.id),
            })),
            localServer: localServer().status,
          }
        : undefined,
    );
  }

  powerMonitor.on('resume', () => watch.lookNow());
  update();

  return {
    update,

    /** @throws ConnectionFailure if the change applies, but can't be saved */
    choose(next: DesktopSettings): DesktopSettings {
      const before = settings.read().notifications;
      const chosen = settings.write(next);
      // Existing reports aren't announced when notifications are enabled.
      for (const id of chosen.notifications) if (!before.includes(id)) watch.forget(id);
      for (const id of before) if (!chosen.notifications.includes(id)) notifications.close(id);
      update();
      watch.lookNow();
      settings.requireKept();
      return chosen;
    },

    /** The console's count is more precise than the polled one. */
    learn(counts: Unreviewed): void {
      if (!connections.known().some(({ id }) => id === counts.connectionId)) return;
      shown = counts.connectionId;
      unreviewed.set(shown, counts);
      watch.learn(shown, counts.total);
      showAll();
    },

    /** Names and marks connections as the console does. */
    look(chosen: Looks): void {
      looks.write(Value.Clean(Looks, structuredClone(chosen)) as Looks);
      showAll();
    },

    /** No reports are visible in a window. */
    windowClosed(): void {
      shown = undefined;
    },

    /** Signed out: its reports are no longer polled or announced. */
    forget(connectionId: string): void {
      const chosen = settings.read();
      if (chosen.notifications.includes(connectionId)) {
        settings.write({
          ...chosen,
          notifications: chosen.notifications.filter((id) => id !== connectionId),
        });
      }
      notifications.close(connectionId);
      unreviewed.delete(connectionId);
      watch.forget(connectionId);
      update();
    },

    notificationsShown: notifications.shown,

    localServerChanged(): void {
      showAll();
      if (localServer().status === 'running') watch.lookNow();
    },
  };
}

export type Presence = ReturnType<typeof createPresence>;

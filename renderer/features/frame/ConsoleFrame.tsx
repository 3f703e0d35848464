import { i18n } from '@lingui/core';
import { ActionIcon, Button, Kbd, UnstyledButton } from '@mantine/core';
import { useClipboard, useHotkeys, useOs } from '@mantine/hooks';
import { createSpotlight } from '@mantine/spotlight';
import { IconAlertTriangle, IconKeyboard, IconLink, IconLogin2, IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  Outlet,
  useLocation,
  useMatch,
  useMatches,
  useNavigate,
  useParams,
  useSearch,
} from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { type Linked, linkTo, readLink } from '../../../shared/link.ts';
import { plainServerName } from '../../../shared/plain-server-name.ts';
import { ActionTray } from '../../actions/tray/ActionTray.tsx';
import { eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { localServerQuery, startLocalServer } from '../../api/shell.ts';
import { cssColorOf } from '../../components/ConnectionSwatch.tsx';
import { keyLabel } from '../../components/commands.ts';
import { Hint } from '../../components/Hint.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import { noticesOf } from '../../components/notices.ts';
import { screensOffRail } from '../../components/page/RelatedScreens.tsx';
import { useWindowTitle } from '../../components/page/use-window-title.ts';
import { useConnections, useLooks } from '../../connection-look.ts';
import { CurrentServer, useCommands, useConsole, useServerIfAny } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { Mentions } from '../../team/Mentions.tsx';
import { usePendingCounts, useReportCounts } from '../../team/open-counts.ts';
import { useDeletedReportMarks } from '../../team/use-deleted-report-marks.ts';
import type { Shell } from '../../transport/host.ts';
import type { Server } from '../../transport/server.ts';
import { CommandPalette } from './CommandPalette.tsx';
import classes from './ConsoleFrame.module.css';
import { ConsoleCommands, FrameCommands } from './FrameCommands.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { FeatureCommands, Rail } from './Rail.tsx';
import { ScheduledRuns } from './ScheduledRuns.tsx';
import { NoServer, ServerSwitcher } from './ServerSwitcher.tsx';
import { StatusLine } from './StatusLine.tsx';
import { screens } from './screens.ts';
import { useFocusRecovery } from './use-focus-recovery.ts';

/** Selects a boolean, so that the frame doesn't render on every navigation. */
const useIsWithin = (routeId: string) =>
  useMatches({
    select: (matches) =>
      matches.some((match) => match.routeId === routeId || match.routeId.startsWith(`${routeId}/`)),
  });

/** The rail, the header and the screen; without a server if none is connected. */
export function ConsoleFrame({ server }: { server: Server | undefined }) {
  const { host, reachability } = useConsole();
  const isSignedOut = useStoreValue(
    reachability,
    () => server !== undefined && reachability.of(server.id) === 'signed-out',
  );
  const needsServer = useIsWithin('/frame/server');
  const isLocalServer = useIsWithin('/frame/local-server');
  const [isKeysHelpOpen, setKeysHelpOpen] = useState(false);
  const [[paletteStore, palette]] = useState(createSpotlight);
  const screen = useRef<HTMLElement>(null);
  useFocusRecovery(screen);
  useHotkeys([['mod+K', palette.toggle]], []);

  return (
    <CurrentServer value={server}>
      <WindowTitle />
      <div className={classes.frame}>
        <Rail />
        <div className={classes.main}>
          <Header onOpenPalette={palette.open} onShowKeys={() => setKeysHelpOpen(true)} />
          {/* The local server's own screen shows the same. */}
          {host.shell && !isLocalServer && <LocalServerBanner shell={host.shell} />}
          {server && <Mentions />}
          <main ref={screen} tabIndex={-1} className={classes.screen}>
            {server && needsServer && isSignedOut ? (
              <SessionEnded connection={server.connection} />
            ) : (
              <Outlet />
            )}
          </main>
          {server && <ActionTray />}
          {server && !isSignedOut && <ScheduledRuns />}
          {server && !isSignedOut && <GoneMarks server={server} />}
          <StatusLine />
          {server && <FeatureCommands />}
          <ConsoleCommands />
          {server && host.shell && <ShellIntegration shell={host.shell} server={server} />}
        </div>
      </div>
      <FrameCommands onOpenPalette={palette.open} onShowKeys={() => setKeysHelpOpen(true)} />
      <CommandPalette store={paletteStore} close={palette.close} />
      <KeysHelp opened={isKeysHelpOpen} onClose={() => setKeysHelpOpen(false)} />
    </CurrentServer>
  );
}

/** Not while the list of all reports is open, which does the same. */
function GoneMarks({ server }: { server: Server }): ReactNode {
  const isListOpen = useMatch({
    from: '/frame/server/reports',
    shouldThrow: false,
    select: ({ search: { room, reporter, sender } }) => !(room || reporter || sender),
  });
  return isListOpen ? null : <DeletedReportMarks server={server} />;
}

function DeletedReportMarks({ server }: { server: Server }): ReactNode {
  useDeletedReportMarks(server);
  return null;
}

function Header({ onOpenPalette, onShowKeys }: { onOpenPalette: () => void; onShowKeys: () => void }) {
  const server = useServerIfAny();
  const modifier = useOs({ getValueInEffect: false }) === 'macos' ? '⌘' : keyLabel('Control');
  const { lookOf } = useConnections();
  const edge = server && cssColorOf(lookOf(server.connection));
  return (
    <header
      className={classes.header}
      style={{ '--edge': edge } as CSSProperties}
      data-edge={edge !== undefined || undefined}
    >
      {server ? <ServerSwitcher server={server} /> : <NoServer />}
      <span className={classes.spacer} />
      <UnstyledButton
        className={classes.search}
        onClick={onOpenPalette}
        title={i18n.t('Open command palette')}
      >
        <IconSearch size={14} aria-hidden />
        <span className={classes.searchText}>{i18n.t('Search or run…')}</span>
        <Kbd size="xs" className={classes.searchKeys}>
          {modifier} K
        </Kbd>
      </UnstyledButton>
      <Hint label={i18n.t('Keyboard shortcuts (?)')}>
        <ActionIcon onClick={onShowKeys} aria-label={i18n.t('Keyboard shortcuts')}>
          <IconKeyboard size={17} stroke={1.6} />
        </ActionIcon>
      </Hint>
    </header>
  );
}

function SessionEnded({ connection }: { connection: Connection }) {
  const navigate = useNavigate();
  const { href } = useLocation();
  const { labelOf } = useConnections();
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconLogin2 size={26} stroke={1.5} />}
      title={i18n.t('Your session has ended')}
      description={i18n.t('{name} rejected the session of {userId}. Sign in again to return here.', {
        name: labelOf(connection),
        userId: connection.userId,
      })}
    >
      <Button onClick={() => navigate({ to: '/connect', search: { next: href, again: connection.id } })}>
        {i18n.t('Sign in again')}
      </Button>
    </StateMessage>
  );
}

/** Reports counts and looks of connections to the desktop app, and adds a command that copies links into it. */
function ShellIntegration({ shell, server }: { shell: Shell; server: Server }): ReactNode {
  const { pending: unreviewed } = useReportCounts(server).report;
  // The rail loads it.
  const total = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data?.total;
  useEffect(() => {
    if (unreviewed === undefined || total === undefined) return;
    void shell.sendUnreviewed({ connectionId: server.id, unreviewed, total });
  }, [shell, server.id, unreviewed, total]);
  const looks = useLooks();
  useEffect(() => void shell.sendLooks(looks), [shell, looks]);

  const clipboard = useClipboard();
  const target = useLinkTarget();
  const link = target && linkTo(plainServerName(server.connection), target);
  useCommands(
    // The app wouldn't follow a link that it can't read.
    target && link !== undefined && readLink(link)
      ? [
          {
            id: 'copy-link',
            label: {
              report: i18n.t('Copy report link'),
              user: i18n.t('Copy user link'),
              room: i18n.t('Copy room link'),
            }[target.kind],
            group: i18n.t('Console'),
            icon: <IconLink size={17} stroke={1.6} />,
            run: () => {
              clipboard.copy(link);
              noticesOf(server).show({ text: i18n.t('Copied: {link}', { link }) });
            },
          },
        ]
      : [],
  );
  return null;
}

/** Returns the report, user or room in the address. */
function useLinkTarget(): Linked | undefined {
  const { userId, roomId } = useParams({ strict: false });
  const { report } = useSearch({ strict: false });
  if (typeof report === 'number') return { kind: 'report', id: report };
  if (userId !== undefined) return { kind: 'user', userId };
  return roomId === undefined ? undefined : { kind: 'room', roomId };
}

/** Sets the window title: open reports, screen and server. */
function WindowTitle() {
  const server = useServerIfAny();
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const waiting = usePendingCounts(server);
  const count = waiting ? waiting.unreviewed + waiting.escalated : 0;
  const { labelOf } = useConnections();
  const isUnknown = useIsWithin('/frame/$');
  const name = isUnknown
    ? /*i18n*/ 'Screen not found'
    : [...screens, ...screensOffRail].find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
        ?.name;
  const title = [
    count > 0 ? `(${count})` : '',
    [name && i18n.t(name), server && labelOf(server.connection), 'Gatehouse'].filter(Boolean).join(' · '),
  ]
    .filter(Boolean)
    .join(' ');
  useWindowTitle(title);
  return null;
}

/** Shown if the local server has stopped and won't restart automatically. */
function LocalServerBanner({ shell }: { shell: Shell }) {
  const { data: state } = useQuery(localServerQuery(shell));
  const start = useMutation(startLocalServer(shell));
  if (state?.status !== 'failed') return null;
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.bannerText}>
        <strong>{i18n.t("Local server isn't running")}</strong>{' '}
        {state.message && i18n.t(state.message.sentence, state.message.values)}
      </span>
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
        {i18n.t('Start server')}
      </Button>
    </div>
  );
}

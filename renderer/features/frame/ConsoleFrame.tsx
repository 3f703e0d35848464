import { i18n } from '@lingui/core';
import { ActionIcon, Button, Kbd, UnstyledButton } from '@mantine/core';
import { useClipboard, useHotkeys, useOs } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconKeyboard, IconLink, IconLogin2, IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useMatches, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { type Linked, linkTo, readLink } from '../../../shared/link.ts';
import { plainServerName } from '../../../shared/plain-server-name.ts';
import { ActionTray } from '../../actions/tray/ActionTray.tsx';
import { eventReportTotalQuery } from '../../api/event-reports.ts';
import { connectionsQuery, localServerQuery, startLocalServer } from '../../api/shell.ts';
import { keyLabel } from '../../components/commands.ts';
import { Hint } from '../../components/Hint.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import { screensOffRail } from '../../components/RelatedScreens.tsx';
import { useWindowTitle } from '../../components/use-window-title.ts';
import { CurrentServer, useCommands, useConsole, useServerIfAny } from '../../console-context.ts';
import { Mentions } from '../../team/Mentions.tsx';
import { useEscalated, useUnreviewed, useWaiting } from '../../team/unreviewed.ts';
import type { Shell } from '../../transport/host.ts';
import type { Server } from '../../transport/server.ts';
import { serverLabel } from '../../transport/server-name.ts';
import { CommandKeys } from './CommandKeys.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import classes from './ConsoleFrame.module.css';
import { ConsoleCommands, FrameCommands } from './FrameCommands.tsx';
import headerClasses from './Header.module.css';
import { KeysHelp } from './KeysHelp.tsx';
import { palette } from './palette.ts';
import { OfferedScreens, Rail } from './Rail.tsx';
import { NoServer, ServerSwitcher } from './ServerSwitcher.tsx';
import { screens } from './screens.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** Nothing else of the address has the frame render again. */
const useIsIn = (place: string) =>
  useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === place || routeId.startsWith(`${place}/`)),
  });

/** The rail, the header and the screen, of one connected server or of none. */
export function ConsoleFrame({ server }: { server: Server | undefined }) {
  const { host, reachability } = useConsole();
  const state = useSyncExternalStore(reachability.subscribe, () => server && reachability.of(server.id));
  const needsServer = useIsIn('/frame/server');
  const isLocalServer = useIsIn('/frame/local-server');
  const [keysShown, setKeysShown] = useState(false);
  const screen = useRef<HTMLElement>(null);
  useKeptFocus(screen);
  useHotkeys([['mod+K', palette.toggle]], []);

  return (
    <CurrentServer value={server}>
      <WindowTitle />
      <div className={classes.frame}>
        <Rail />
        <div className={classes.main}>
          <Header onShowKeys={() => setKeysShown(true)} />
          {/* Its own screen says the same, and has the same button. */}
          {host.shell && !isLocalServer && <LocalServerBanner shell={host.shell} />}
          {server && <Mentions />}
          <main ref={screen} tabIndex={-1} className={classes.screen}>
            {server && needsServer && state === 'signed-out' ? (
              <SessionEnded connection={server.connection} />
            ) : (
              <Outlet />
            )}
          </main>
          {server && <ActionTray />}
          {server && <OfferedScreens />}
          <ConsoleCommands />
          {server && host.shell && <ShellDuties shell={host.shell} server={server} />}
        </div>
      </div>
      <CommandKeys />
      <FrameCommands onShowKeys={() => setKeysShown(true)} />
      <CommandPalette />
      <KeysHelp opened={keysShown} onClose={() => setKeysShown(false)} />
    </CurrentServer>
  );
}

function Header({ onShowKeys }: { onShowKeys: () => void }) {
  const server = useServerIfAny();
  const modifier = useOs({ getValueInEffect: false }) === 'macos' ? '⌘' : keyLabel('Control');
  return (
    <header className={headerClasses.header}>
      {server ? <ServerSwitcher server={server} /> : <NoServer />}
      <span className={headerClasses.gap} />
      <UnstyledButton
        className={headerClasses.search}
        onClick={palette.open}
        title={i18n.t('Open command palette')}
      >
        <IconSearch size={14} aria-hidden />
        <span className={headerClasses.searchText}>{i18n.t('Search or run…')}</span>
        <Kbd size="xs" className={headerClasses.searchKeys}>
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

/** In the screen's place when the server no longer accepts the session. */
function SessionEnded({ connection }: { connection: Connection }) {
  const navigate = useNavigate();
  const { href } = useLocation();
  const { data: connections = [] } = useQuery(connectionsQuery(useConsole().host));
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconLogin2 size={26} stroke={1.5} />}
      title={i18n.t('Your session has ended')}
      description={i18n.t('{name} rejected the session of {userId}. Sign in again to return here.', {
        name: serverLabel(connection, connections),
        userId: connection.userId,
      })}
    >
      <Button onClick={() => navigate({ to: '/connect', search: { next: href, again: connection.id } })}>
        {i18n.t('Sign in again')}
      </Button>
    </StateMessage>
  );
}

/** What the console does for the desktop app: it says how much there is to do, and gives links into the app. */
function ShellDuties({ shell, server }: { shell: Shell; server: Server }): ReactNode {
  const open = useUnreviewed(server);
  const { event: escalated } = useEscalated(server);
  const unreviewed = open === undefined ? undefined : open + escalated;
  // The rail asks for it.
  const total = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data?.total;
  useEffect(() => {
    if (unreviewed === undefined || total === undefined) return;
    void shell.tellUnreviewed({ connectionId: server.id, unreviewed, total });
  }, [shell, server.id, unreviewed, total]);

  const clipboard = useClipboard();
  const shown = useShown();
  const link = shown && linkTo(plainServerName(server.connection), shown);
  useCommands(
    // One that the app itself would not follow is none.
    shown && link !== undefined && readLink(link)
      ? [
          {
            id: 'copy-link',
            label: {
              report: i18n.t('Copy report link'),
              user: i18n.t('Copy user link'),
              room: i18n.t('Copy room link'),
            }[shown.kind],
            group: i18n.t('Console'),
            icon: <IconLink size={17} stroke={1.6} />,
            run: () => {
              clipboard.copy(link);
              notifications.show({ message: i18n.t('Copied: {link}', { link }) });
            },
          },
        ]
      : [],
  );
  return null;
}

/** What the address names. */
function useShown(): Linked | undefined {
  const { userId, roomId } = useParams({ strict: false });
  const { report } = useSearch({ strict: false });
  if (report !== undefined) return { kind: 'report', id: report };
  if (userId !== undefined) return { kind: 'user', userId };
  return roomId === undefined ? undefined : { kind: 'room', roomId };
}

/** The window says which screen of which server it shows, and how many reports wait there. */
function WindowTitle() {
  const { host } = useConsole();
  const server = useServerIfAny();
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const waiting = useWaiting(server);
  const count = waiting ? waiting.unreviewed + waiting.escalated : 0;
  const { data: connections = [] } = useQuery(connectionsQuery(host));
  const name = [...screens, ...screensOffRail].find(
    ({ path }) => pathname === path || pathname.startsWith(`${path}/`),
  )?.name;
  const title = [
    count > 0 ? `(${count})` : '',
    [name && i18n.t(name), server && serverLabel(server.connection, connections), 'Gatehouse']
      .filter(Boolean)
      .join(' · '),
  ]
    .filter(Boolean)
    .join(' ');
  useWindowTitle(title);
  return null;
}

/** Across every screen where the local server has ended and is not started again by itself. */
function LocalServerBanner({ shell }: { shell: Shell }) {
  const { data: state } = useQuery(localServerQuery(shell));
  const start = useMutation(startLocalServer(shell));
  if (state?.status !== 'failed') return null;
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.text}>
        <strong>{i18n.t("Local server isn't running")}</strong>{' '}
        {state.message && i18n.t(state.message.sentence, state.message.values)}
      </span>
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
        {i18n.t('Start server')}
      </Button>
    </div>
  );
}

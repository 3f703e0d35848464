import { useHotkeys } from '@mantine/hooks';
import { Outlet, useMatches } from '@tanstack/react-router';
import { useRef, useState, useSyncExternalStore } from 'react';
import { ActionTray } from '../../actions/ActionTray.tsx';
import { LocalServerBanner } from '../../components/LocalServerBanner.tsx';
import { CurrentServer, useConsole } from '../../console-context.ts';
import { Mentions } from '../../team/Mentions.tsx';
import type { Server } from '../../transport/server.ts';
import { CommandKeys } from './CommandKeys.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import { ConsoleCommands } from './ConsoleCommands.tsx';
import classes from './ConsoleFrame.module.css';
import { FrameCommands } from './FrameCommands.tsx';
import { Header } from './Header.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { OfferedScreens } from './OfferedScreens.tsx';
import { palette } from './palette.ts';
import { Rail } from './Rail.tsx';
import { SessionEnded } from './SessionEnded.tsx';
import { ShellDuties } from './ShellDuties.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { WindowTitle } from './WindowTitle.tsx';

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

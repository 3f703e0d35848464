import { useHotkeys } from '@mantine/hooks';
import { Outlet, useMatches } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { awaitUndos } from '../../actions/latest-undo.ts';
import { CurrentServer, useConsole } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { CommandKeys } from './CommandKeys.tsx';
import classes from './ConsoleFrame.module.css';
import { FrameCommands } from './FrameCommands.tsx';
import { Header } from './Header.tsx';
import { loadPalette } from './load-palette.ts';
import { palette } from './palette.ts';
import { Rail } from './Rail.tsx';
import { SessionEnded } from './SessionEnded.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { WindowTitle } from './WindowTitle.tsx';

// Nobody can want them before there is a screen, and a screen does without them where they can't be had.
const missing = { default: () => <Fragment /> };
const LocalServerBanner = lazy(() => import('../../components/LocalServerBanner.tsx').catch(() => missing));
const Mentions = lazy(() => import('../../team/Mentions.tsx').catch(() => missing));
const ActionTray = lazy(() => import('../../actions/ActionTray.tsx').catch(() => missing));
const OfferedScreens = lazy(() => import('./OfferedScreens.tsx').catch(() => missing));
const ConsoleCommands = lazy(() => import('./ConsoleCommands.tsx').catch(() => missing));
const ShellDuties = lazy(() => import('./ShellDuties.tsx').catch(() => missing));
const CommandPalette = lazy(() => loadPalette(missing));
const KeysHelp = lazy(() => import('./KeysHelp.tsx').catch(() => missing));

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
  // Here and not in the palette, whose code may still be on its way.
  useHotkeys([['mod+K', palette.toggle]], []);

  return (
    <CurrentServer value={server}>
      <WindowTitle />
      <div className={classes.frame}>
        <Rail />
        <div className={classes.main}>
          <Header onShowKeys={() => setKeysShown(true)} />
          {/* Its own screen says the same, and has the same button. */}
          <Suspense>{host.shell && !isLocalServer && <LocalServerBanner shell={host.shell} />}</Suspense>
          <Suspense>{server && <Mentions />}</Suspense>
          <main ref={screen} tabIndex={-1} className={classes.screen}>
            {server && needsServer && state === 'signed-out' ? (
              <SessionEnded connection={server.connection} />
            ) : (
              <Outlet />
            )}
          </main>
          <Suspense fallback={<AwaitedUndos />}>{server && <ActionTray />}</Suspense>
          <Suspense>{server && <OfferedScreens />}</Suspense>
          <Suspense>
            <ConsoleCommands />
          </Suspense>
          <Suspense>{server && host.shell && <ShellDuties shell={host.shell} server={server} />}</Suspense>
        </div>
      </div>
      <CommandKeys />
      <FrameCommands onShowKeys={() => setKeysShown(true)} />
      <Suspense>
        <CommandPalette />
        <KeysHelp opened={keysShown} onClose={() => setKeysShown(false)} />
      </Suspense>
    </CurrentServer>
  );
}

/** In place of the tray while its script is loading: its rows offer to undo what a reload left. */
function AwaitedUndos() {
  useEffect(awaitUndos, []);
  return null;
}

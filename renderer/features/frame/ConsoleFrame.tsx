import { Outlet } from '@tanstack/react-router';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { LocalServerBanner } from '../../components/LocalServerBanner.tsx';
import { CurrentServer, useConsole } from '../../console-context.ts';
import { connectedServer } from '../../transport/server.ts';
import { CommandPalette } from './CommandPalette.tsx';
import classes from './ConsoleFrame.module.css';
import { useCommandKeys } from './command-keys.ts';
import { FrameCommands } from './FrameCommands.tsx';
import { Header } from './Header.tsx';
import { KeysHelp } from './KeysHelp.tsx';
import { Rail } from './Rail.tsx';
import { SessionEnded } from './SessionEnded.tsx';

/** The rail, the header and the screen of one connected server. */
export function ConsoleFrame({ connection }: { connection: Connection }) {
  const { host, reachability } = useConsole();
  const server = useMemo(
    () => connectedServer(host, reachability, connection),
    [host, reachability, connection],
  );
  const state = useSyncExternalStore(reachability.subscribe, () => reachability.of(connection.id));
  const [keysShown, setKeysShown] = useState(false);
  useCommandKeys();

  return (
    <CurrentServer value={server}>
      <div className={classes.frame}>
        <Rail />
        <div className={classes.main}>
          <Header onShowKeys={() => setKeysShown(true)} />
          {host.shell && <LocalServerBanner shell={host.shell} />}
          <main className={classes.screen}>
            {state === 'signed-out' ? <SessionEnded connection={connection} /> : <Outlet />}
          </main>
        </div>
      </div>
      <FrameCommands onShowKeys={() => setKeysShown(true)} />
      <CommandPalette />
      <KeysHelp opened={keysShown} onClose={() => setKeysShown(false)} />
    </CurrentServer>
  );
}

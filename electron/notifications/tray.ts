/** The tray icon: state of the servers, and a way back to the window. */
import mark from 'virtual:mark.png';
import { app, Menu, nativeImage, Tray } from 'electron';
import type { LocalServerState } from '../../shared/bridge.ts';
import { say } from '../words.ts';
import { type ConnectionMark, discOf } from './connection-mark.ts';
import type { ServerState } from './report-watch.ts';

type TrayContent = {
  servers: (ConnectionMark & { id: string; state: ServerState })[];
  localServer: LocalServerState['status'];
};

type TrayActions = { open(): void; openServer(connectionId: string): void };

const serverWords: Record<ServerState, string> = {
  unknown: /*i18n*/ '{server}: unknown',
  reachable: /*i18n*/ '{server}: reachable',
  'signed-out': /*i18n*/ '{server}: signed out',
  unreachable: /*i18n*/ '{server}: unreachable',
};

const localServerWords: Record<LocalServerState['status'], string> = {
  starting: /*i18n*/ 'Local server: starting',
  running: /*i18n*/ 'Local server: running',
  restarting: /*i18n*/ 'Local server: restarting',
  failed: /*i18n*/ 'Local server: failed',
  stopped: /*i18n*/ 'Local server: stopped',
};

const menuIconSize = 16;

/** Drawn for each display density, because scaling blurs it at this size. */
function icon() {
  const image = nativeImage.createEmpty();
  for (const drawn of mark) image.addRepresentation(drawn);
  return image;
}

/** @returns updates the icon; undefined removes it */
export function trayOf({ open, openServer }: TrayActions): (content: TrayContent | undefined) => void {
  let tray: Tray | undefined;
  return (content) => {
    if (!content) {
      tray?.destroy();
      tray = undefined;
      return;
    }
    if (!tray) {
      tray = new Tray(icon());
      // On Linux, a click may do only this; on macOS, it also opens the menu.
      if (process.platform !== 'darwin') tray.on('click', open);
    }
    const local = say(localServerWords[content.localServer]);
    const servers = content.servers.map(({ id, name, color, state }) => ({
      label: say(serverWords[state], { server: name }),
      ...(color && { icon: discOf(color, menuIconSize) }),
      click: () => openServer(id),
    }));
    tray.setToolTip(['Gatehouse', ...servers.map(({ label }) => label), local].join('\n'));
    // On Linux, a menu doesn't change after it is set.
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: say(/*i18n*/ 'Open Gatehouse'), click: open },
        { type: 'separator' },
        // A single ampersand would mark an access key.
        ...servers.map(({ label, ...item }) => ({ ...item, label: label.replaceAll('&', '&&') })),
        { label: local, enabled: false },
        { type: 'separator' },
        { label: say(/*i18n*/ 'Quit Gatehouse'), click: () => app.quit() },
      ]),
    );
  };
}

/** The application menu: the platform's usual entries, and what the shell itself can do. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { NoticePayload } from '../shared/bridge.ts';

export type MenuActions = {
  tellConsole(command: NoticePayload<'menu:command'>['command']): void;
  restartLocalServer(): void;
  addSampleData(): void;
};

export function setApplicationMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin';
  const settings: MenuItemConstructorOptions = {
    id: 'settings',
    label: 'Settings…',
    accelerator: 'CommandOrControl+,',
    click: () => actions.tellConsole('settings'),
  };
  const applicationMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
  const fileMenu: MenuItemConstructorOptions = {
    role: 'fileMenu',
    submenu: mac ? [{ role: 'close' }] : [settings, { type: 'separator' }, { role: 'quit' }],
  };
  const viewMenu: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      {
        id: 'palette',
        label: 'Command palette…',
        accelerator: 'CommandOrControl+K',
        click: () => actions.tellConsole('palette'),
      },
      { type: 'separator' },
      { role: 'reload' },
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  const serverMenu: MenuItemConstructorOptions = {
    label: 'Local server',
    submenu: [
      { id: 'restart-local-server', label: 'Restart', click: () => actions.restartLocalServer() },
      {
        id: 'add-sample-data',
        label: 'Add sample data to the local server',
        click: () => actions.addSampleData(),
      },
    ],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [applicationMenu] : []),
      fileMenu,
      { role: 'editMenu' },
      viewMenu,
      serverMenu,
      { role: 'windowMenu' },
      ...(mac ? [] : [{ role: 'help' as const, submenu: [{ role: 'about' as const }] }]),
    ]),
  );
}

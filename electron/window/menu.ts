/** The application menu: the platform's usual entries, and the shell's own. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { NoticePayload } from '../../shared/bridge.ts';
import { say } from '../words.ts';

type MenuActions = {
  sendCommand(command: NoticePayload<'menu:command'>['command']): void;
  restartLocalServer(): void;
  addSampleData(): void;
  /** If the app updates itself. */
  checkForUpdates?(): void;
  showLog(): void;
  copyDiagnostics(): void;
};

/** Content of the system's About panel; each system shows a part of it. */
export function setAboutPanel(): void {
  app.setAboutPanelOptions({
    applicationName: 'Gatehouse',
    applicationVersion: app.getVersion(),
    copyright: say(/*i18n*/ '© The Gatehouse authors. Licensed under the Apache License 2.0.'),
    credits: 'https://gatehouse.example',
    website: 'https://gatehouse.example',
  });
}

/** Electron implements the usual entries, but has only English labels. */
const usual = (role: NonNullable<MenuItemConstructorOptions['role']>, label: string) => ({
  role,
  label: say(label),
});

const separator = { type: 'separator' as const };

export function setApplicationMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin';
  const about = usual('about', /*i18n*/ 'About Gatehouse');
  const quit = usual('quit', /*i18n*/ 'Quit Gatehouse');
  const close = usual('close', /*i18n*/ 'Close window');
  const settings: MenuItemConstructorOptions = {
    id: 'settings',
    label: say(/*i18n*/ 'Settings…'),
    accelerator: 'CommandOrControl+,',
    click: () => actions.sendCommand('settings'),
  };
  const applicationMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      about,
      separator,
      settings,
      separator,
      usual('services', /*i18n*/ 'Services'),
      separator,
      usual('hide', /*i18n*/ 'Hide Gatehouse'),
      usual('hideOthers', /*i18n*/ 'Hide others'),
      usual('unhide', /*i18n*/ 'Show all'),
      separator,
      quit,
    ],
  };
  const fileMenu: MenuItemConstructorOptions = {
    ...usual('fileMenu', /*i18n*/ 'File'),
    submenu: mac ? [close] : [settings, separator, quit],
  };
  const editMenu: MenuItemConstructorOptions = {
    ...usual('editMenu', /*i18n*/ 'Edit'),
    submenu: [
      usual('undo', /*i18n*/ 'Undo'),
      usual('redo', /*i18n*/ 'Redo'),
      separator,
      usual('cut', /*i18n*/ 'Cut'),
      usual('copy', /*i18n*/ 'Copy'),
      usual('paste', /*i18n*/ 'Paste'),
      usual('selectAll', /*i18n*/ 'Select all'),
    ],
  };
  const viewMenu: MenuItemConstructorOptions = {
    label: say(/*i18n*/ 'View'),
    submenu: [
      {
        id: 'palette',
        label: say(/*i18n*/ 'Command palette…'),
        accelerator: 'CommandOrControl+K',
        click: () => actions.sendCommand('palette'),
      },
      separator,
      usual('reload', /*i18n*/ 'Reload'),
      ...(app.isPackaged ? [] : [usual('toggleDevTools', /*i18n*/ 'Developer tools')]),
      separator,
      usual('resetZoom', /*i18n*/ 'Actual size'),
      usual('zoomIn', /*i18n*/ 'Zoom in'),
      usual('zoomOut', /*i18n*/ 'Zoom out'),
      separator,
      usual('togglefullscreen', /*i18n*/ 'Full screen'),
    ],
  };
  const serverMenu: MenuItemConstructorOptions = {
    label: say(/*i18n*/ 'Local server'),
    submenu: [
      {
        id: 'restart-local-server',
        label: say(/*i18n*/ 'Start or restart'),
        click: () => actions.restartLocalServer(),
      },
      {
        id: 'add-sample-data',
        label: say(/*i18n*/ 'Add sample data to the local server'),
        click: () => actions.addSampleData(),
      },
    ],
  };
  const windowMenu: MenuItemConstructorOptions = {
    ...usual('windowMenu', /*i18n*/ 'Window'),
    submenu: [
      usual('minimize', /*i18n*/ 'Minimize'),
      usual('zoom', /*i18n*/ 'Zoom'),
      ...(mac ? [separator, usual('front', /*i18n*/ 'Bring all to front')] : [close]),
    ],
  };
  const helpMenu: MenuItemConstructorOptions = {
    ...usual('help', /*i18n*/ 'Help'),
    submenu: [
      ...(actions.checkForUpdates
        ? [
            {
              id: 'check-for-updates',
              label: say(/*i18n*/ 'Check for updates…'),
              click: () => actions.checkForUpdates?.(),
            },
            separator,
          ]
        : []),
      { id: 'show-log', label: say(/*i18n*/ 'Show log'), click: () => actions.showLog() },
      {
        id: 'copy-diagnostics',
        label: say(/*i18n*/ 'Copy diagnostics'),
        click: () => actions.copyDiagnostics(),
      },
      ...(mac ? [] : [separator, about]),
    ],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [applicationMenu] : []),
      fileMenu,
      editMenu,
      viewMenu,
      serverMenu,
      windowMenu,
      helpMenu,
    ]),
  );
}

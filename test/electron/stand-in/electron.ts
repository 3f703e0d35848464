/** The stand-in for the `electron` module that the main process imports. */
import { type RequestOptions, request } from 'node:http';
import { dirname } from 'node:path';
import { theApp } from './app.ts';
import {
  copied,
  openDialog,
  openedExternally,
  openOpenDialog,
  openSaveDialog,
  shownInFolder,
} from './control.ts';
import { loud } from './loud.ts';
import { fetchOverNetwork, theSession } from './session.ts';
import { settings } from './settings.ts';

export { app } from './app.ts';
export { autoUpdater } from './auto-updater.ts';
export { BrowserWindow } from './browser-window.ts';
export { ipcMain } from './ipc-main.ts';
export { Menu } from './menu.ts';
export { Notification } from './notification.ts';
export { powerMonitor } from './power-monitor.ts';
export { protocol } from './protocol.ts';
export { safeStorage } from './safe-storage.ts';
export { session } from './session.ts';
export { nativeImage, Tray } from './tray.ts';
export { utilityProcess } from './utility-process.ts';

export const dialog = loud('dialog', {
  showMessageBox: (first: object, second?: object) => openDialog(second ?? first),
  showSaveDialog: openSaveDialog,
  showOpenDialog: openOpenDialog,
  /** Electron's own blocks until the dialog is closed; this one returns immediately. */
  showErrorBox: (title: string, content: string) =>
    void openDialog({ type: 'error', message: title, detail: content }),
});

export const shell = loud('shell', {
  async openExternal(url: string) {
    openedExternally.push(url);
  },
  showItemInFolder(path: string) {
    shownInFolder.push(path);
  },
});

export const nativeTheme = loud('nativeTheme', { shouldUseDarkColors: false });

export const clipboard = loud('clipboard', {
  writeText(text: string) {
    copied.text = text;
  },
});

export const screen = loud('screen', {
  getAllDisplays: () =>
    settings.displays.map((workArea, id) => ({ id, bounds: workArea, workArea, scaleFactor: 1 })),
});

// Changed on `ready`, so that Chromium starts for the real platform.
theApp.once('ready', () => {
  if (settings.platform) Object.defineProperty(process, 'platform', { value: settings.platform });
});
Object.assign(process, { resourcesPath: settings.resources ?? dirname(process.execPath) });

export const net = loud('net', {
  /** Requests use Node's HTTP client, with the options that the app uses. */
  request: ({
    session: _session,
    redirect: _redirect,
    url,
    ...options
  }: RequestOptions & { url?: string } & Record<string, unknown>) => {
    if (url === undefined) return request(options);
    const sent = request(url, options);
    return sent.prependListener('response', ({ statusCode = 0, headers: { location } }) => {
      if (statusCode >= 300 && location)
        sent.emit('redirect', statusCode, 'GET', new URL(location, url).href);
    });
  },
  /** Uses the default session's proxy. If set, it doesn't reach any server. */
  fetch(address: string, options?: RequestInit) {
    if (theSession.proxy) throw new Error('net::ERR_PROXY_CONNECTION_FAILED');
    return fetchOverNetwork(address, options);
  },
});

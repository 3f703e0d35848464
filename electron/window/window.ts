/** The console's window. */
import mark from 'virtual:mark.png';
import { app, BrowserWindow, nativeImage, nativeTheme, screen } from 'electron';
import { keepCrashReport, log } from '../log.ts';
import { askBeforeLeaving } from './leaving.ts';
import { consoleUrl } from './protocol.ts';
import { sealCalls } from './sealed-page.ts';
import { loadWindowState, rememberWindowState, smallestWindow } from './window-state.ts';

const drawnWithinMs = 3_000;

type WindowOptions = { preload: string; stateFile: string };

export function openWindow({ preload, stateFile }: WindowOptions): BrowserWindow {
  const displays = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { maximized, ...bounds } = loadWindowState(stateFile, displays);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    title: 'Gatehouse',
    show: false,
    // The page's background, to avoid a white flash.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#171a1f' : '#ffffff',
    // Windows and macOS use the package's icon.
    ...(process.platform === 'linux' && { icon: nativeImage.createFromDataURL(mark.at(-1)?.dataURL ?? '') }),
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // Dictionaries would be downloaded.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  rememberWindowState(window, stateFile);
  if (maximized) window.maximize();
  sealCalls(window.webContents);
  askBeforeLeaving(window);
  showWhenDrawn(window);
  reloadAfterCrash(window);
  window.loadURL(consoleUrl).catch((error: unknown) => {
    // Closed before it was ready.
    if (!window.isDestroyed()) throw error;
  });
  return window;
}

/** Also shown if a hanging or missing page draws nothing, with its menu. */
function showWhenDrawn(window: BrowserWindow): void {
  const late = setTimeout(() => window.show(), drawnWithinMs);
  window.once('ready-to-show', () => {
    clearTimeout(late);
    window.show();
  });
  window.once('closed', () => clearTimeout(late));
}

/** One automatic reload per crash; a page that keeps crashing is left for the user to reload. */
function reloadAfterCrash(window: BrowserWindow): void {
  const calmMs = 30_000;
  let lastCrash = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') {
      log.error(`window: page crashed: ${reason}`);
      keepCrashReport('The page crashed', reason);
    }
    const calm = Date.now() - lastCrash > calmMs;
    lastCrash = Date.now();
    if (calm && reason !== 'clean-exit') window.webContents.reload();
  });
}

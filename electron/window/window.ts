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
    // As the page's, so that no white flashes before it is drawn.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#171a1f' : '#ffffff',
    // Windows and macOS take the package's.
    ...(process.platform === 'linux' && { icon: nativeImage.createFromDataURL(mark.at(-1)?.dataURL ?? '') }),
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // The dictionaries would be downloaded.
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
    // Closed before it was there: nobody waits for it any more.
    if (!window.isDestroyed()) throw error;
  });
  return window;
}

/** A page that hangs, or that isn't there, draws nothing: the window is there all the same, and its menu. */
function showWhenDrawn(window: BrowserWindow): void {
  const late = setTimeout(() => window.show(), drawnWithinMs);
  window.once('ready-to-show', () => {
    clearTimeout(late);
    window.show();
  });
  window.once('closed', () => clearTimeout(late));
}

/** One reload a crash is worth it; a page that crashes over and over is left for the person to reload. */
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

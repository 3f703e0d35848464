/** The stand-in's end of the control channel: actions of a user or an attacker. */
import type {
  MessageBoxOptions,
  MessageBoxReturnValue,
  OpenDialogReturnValue,
  SaveDialogReturnValue,
} from 'electron';
import { given, theApp } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import type { Commands, FromStandIn, ToStandIn } from './control-messages.ts';
import { preventable } from './loud.ts';
import { menuItems } from './menu.ts';
import { notifications } from './notification.ts';
import { thePowerMonitor } from './power-monitor.ts';
import { serveScheme } from './protocol.ts';
import { unlocked } from './safe-storage.ts';
import { askPermission, openDownloads, theSession } from './session.ts';
import { trays } from './tray.ts';
import { utilityProcesses } from './utility-process.ts';

/** Text that the main process copied to the clipboard. */
export const copied = { text: '' };

export const openedExternally: string[] = [];

/** Files that the main process showed in the file manager. */
export const shownInFolder: string[] = [];

const dialogs = new Map<number, (answer: MessageBoxReturnValue) => void>();
let lastDialog = 0;

/** Opens a dialog. It stays open until the test answers or the app aborts it. */
export function openDialog({
  signal,
  ...options
}: Partial<MessageBoxOptions>): Promise<MessageBoxReturnValue> {
  const id = ++lastDialog;
  tell({ type: 'dialog', id, options: options as MessageBoxOptions });
  return new Promise((resolve) => {
    dialogs.set(id, resolve);
    signal?.addEventListener('abort', () => {
      dialogs.delete(id);
      resolve({ response: options.cancelId ?? 0, checkboxChecked: false });
    });
  });
}

let willSaveTo: string | null | undefined;

/** Resolves at once with the path that the test set. */
export async function openSaveDialog(): Promise<SaveDialogReturnValue> {
  if (willSaveTo === undefined) throw new Error('Nobody said where to save to');
  return { canceled: willSaveTo === null, filePath: willSaveTo ?? '' };
}

let willOpen: string | null | undefined;

/** Resolves at once with the existing file that the test set. */
export async function openOpenDialog(): Promise<OpenDialogReturnValue> {
  if (willOpen === undefined) throw new Error('Nobody said which file to open');
  return { canceled: willOpen === null, filePaths: willOpen === null ? [] : [willOpen] };
}

const commands: {
  [Name in keyof Commands]: (
    input: Commands[Name]['input'],
  ) => Commands[Name]['output'] | Promise<Commands[Name]['output']>;
} = {
  useChromium(place) {
    given.resolve(place);
    return null;
  },
  answerDialog({ id, response }) {
    dialogs.get(id)?.({ response, checkboxChecked: false });
    dialogs.delete(id);
    return null;
  },
  willSaveTo({ path }) {
    willSaveTo = path;
    return null;
  },
  willOpen({ path }) {
    willOpen = path;
    return null;
  },
  openedExternally: () => openedExternally,
  shownInFolder: () => shownInFolder,
  copied: () => copied.text,
  menuItems: () => menuItems().map(({ click: _click, submenu: _submenu, ...item }) => item),
  chooseMenuItem({ id }) {
    const item = menuItems().find((candidate) => candidate.id === id);
    if (!item?.click) throw new Error(`The menu has no item '${id}'`);
    item.click();
    return null;
  },
  desktop() {
    const [tray] = trays;
    return {
      badge: theApp.badge,
      notifications: notifications.map(({ title }) => title),
      ...(tray && {
        tray: {
          toolTip: tray.toolTip,
          items: tray.menu.flatMap(({ label }) => label ?? []),
          scales: tray.scales,
        },
      }),
      protocols: theApp.protocols,
      ...(theApp.loginItem && { loginItem: theApp.loginItem }),
    };
  },
  notification({ title, action }) {
    const notification = notifications.find((candidate) => candidate.title === title);
    if (!notification) throw new Error(`There is no notification '${title}'`);
    notification[action]();
    return null;
  },
  chooseTrayItem({ label }) {
    const item = [...trays].flatMap(({ menu }) => menu).find((candidate) => candidate.label === label);
    if (!item?.click || item.enabled === false) throw new Error(`Nobody can choose '${label}'`);
    item.click();
    return null;
  },
  openUrl({ url }) {
    const event = preventable({});
    theApp.emit('open-url', event, url);
    return { prevented: event.defaultPrevented };
  },
  unlockKeychain() {
    unlocked.resolve();
    return null;
  },
  activate() {
    theApp.emit('activate', preventable({}), BrowserWindow.getAllWindows().length > 0);
    return null;
  },
  resume() {
    thePowerMonitor.emit('resume');
    return null;
  },
  utilityProcesses: () => [...utilityProcesses].map(({ pid, modulePath }) => ({ pid, modulePath })),
  failUtilityProcess({ location }) {
    for (const process of utilityProcesses) process.fail(location);
    return null;
  },
  rejectUnwatched({ messages }) {
    for (const message of messages) void Promise.reject(new Error(message));
    return null;
  },
  windows: () =>
    BrowserWindow.getAllWindows().map((window) => ({
      url: window.webContents.getURL(),
      bounds: window.getBounds(),
      maximized: window.isMaximized(),
      minimized: window.isMinimized(),
      focused: window.isFocused(),
      visible: window.isVisible(),
      webPreferences: window.options.webPreferences ?? {},
      callPolicy: window.webContents.callPolicy,
      proxy: window.webContents.proxy,
      ...(window.overlay && { overlay: window.overlay }),
    })),
  window(input) {
    const window = firstWindow();
    if (input.action === 'setBounds') window.setBounds(input.bounds);
    else window[input.action]();
    return null;
  },
  askPermission: ({ permission, url }) => askPermission(firstWindow().webContents, permission, url),
  openDownloads: () => openDownloads.map((item) => item.getFilename()),
  answerDownload({ saves }) {
    openDownloads.shift()?.emit('done', preventable({}), saves ? 'completed' : 'cancelled');
    return null;
  },
  mayUseDevice: () => theSession.deviceHandler?.({}) ?? true,
  attachWebview({ src }) {
    const event = preventable({});
    firstWindow().webContents.emit('will-attach-webview', event, {}, { src });
    return { prevented: event.defaultPrevented };
  },
  sendRaw: ({ from, channel, values }) =>
    firstWindow().webContents.sendAsCompromisedRenderer(from, channel, values),
  async requestScheme({ url, method }) {
    const response = await serveScheme({ url, method } as Request);
    const body = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  },
  pageIsAtWork() {
    firstWindow().webContents.isAtWork = true;
    return null;
  },
  async crashPage() {
    const contents = firstWindow().webContents;
    const { session } = await contents.page();
    const loadedAgain = new Promise<void>((resolve) => contents.once('did-finish-load', resolve));
    // The crashed page never replies.
    void session.send('Page.crash').catch(() => {});
    await loadedAgain;
    return null;
  },
  quit() {
    theApp.quit();
    return null;
  },
};

function firstWindow(): BrowserWindow {
  const window = BrowserWindow.getAllWindows()[0];
  if (!window) throw new Error('There is no window');
  return window;
}

function tell(message: FromStandIn): void {
  if (process.connected) process.send?.(message);
}

process.on('message', async ({ id, command, input }: ToStandIn) => {
  try {
    const value = await (commands[command] as (input: unknown) => unknown)(input);
    tell({ type: 'answer', id, ok: true, value });
  } catch (error) {
    tell({ type: 'answer', id, ok: false, value: String(error) });
  }
});
// The app exits when its test is gone.
process.once('disconnect', () => theApp.exit(1));
theApp.once('quit', () => {
  if (theApp.relaunches) tell({ type: 'relaunch', ...theApp.relaunches });
});
theApp.once('ready', () => tell({ type: 'ready', endpoint: theApp.chromium.endpoint }));

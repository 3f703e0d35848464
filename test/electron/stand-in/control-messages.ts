/** What a test asks of the stand-in, and what it gets. */
import type { MessageBoxOptions, ProxyConfig, Rectangle, WebPreferences } from 'electron';

type WindowSnapshot = {
  url: string;
  bounds: Rectangle;
  maximized: boolean;
  minimized: boolean;
  focused: boolean;
  visible: boolean;
  webPreferences: WebPreferences;
  /** By which ways calls of the page may go. */
  callPolicy: string;
  /** Through which proxy its page goes, as it was when the page was made. */
  proxy: ProxyConfig | undefined;
  /** What is laid over its icon. */
  overlay?: { width: number; height: number; description: string };
};

export type LoginItem = { path: string; args: string[] };

/** What the app shows of itself outside of its window. */
type DesktopSnapshot = {
  badge: number;
  /** The titles of the notifications on the screen, the oldest first. */
  notifications: string[];
  /** With the densities of display that its icon is drawn for. */
  tray?: { toolTip: string; items: string[]; scales: readonly number[] };
  protocols: { protocol: string; path: string; args: string[] }[];
  /** What the system starts at login, where it is asked to itself. */
  loginItem?: LoginItem;
};

/** Command → what it takes and gives. */
export type Commands = {
  /** Where its windows are to be, once it has asked. */
  useChromium: { input: { endpoint: string; browserContextId: string }; output: null };
  answerDialog: { input: { id: number; response: number }; output: null };
  /** Where the person saves next; null for thinking better of it. */
  willSaveTo: { input: { path: string | null }; output: null };
  /** Which file the person opens next; null for thinking better of it. */
  willOpen: { input: { path: string | null }; output: null };
  openedExternally: { input: undefined; output: string[] };
  shownInFolder: { input: undefined; output: string[] };
  copied: { input: undefined; output: string };
  menuItems: { input: undefined; output: { id?: string; label?: string; role?: string }[] };
  chooseMenuItem: { input: { id: string }; output: null };
  desktop: { input: undefined; output: DesktopSnapshot };
  notification: { input: { title: string; action: 'click' | 'close' }; output: null };
  chooseTrayItem: { input: { label: string }; output: null };
  openUrl: { input: { url: string }; output: { prevented: boolean } };
  unlockKeychain: { input: undefined; output: null };
  /** The person clicks on the app's icon in the dock. */
  activate: { input: undefined; output: null };
  /** The machine wakes up. */
  resume: { input: undefined; output: null };
  utilityProcesses: { input: undefined; output: { pid: number | undefined; modulePath: string }[] };
  failUtilityProcess: { input: { location: string }; output: null };
  /** Promises of the main process that fail, and that nobody waits for. */
  rejectUnwatched: { input: { messages: string[] }; output: null };
  windows: { input: undefined; output: WindowSnapshot[] };
  window: {
    input:
      | { action: 'close' | 'maximize' | 'minimize' | 'focus' | 'blur' }
      | { action: 'setBounds'; bounds: Rectangle };
    output: null;
  };
  askPermission: {
    input: { permission: string; url: string };
    output: { checked: boolean; requested: boolean };
  };
  /** What the person is being asked about where to save it. */
  openDownloads: { input: undefined; output: string[] };
  answerDownload: { input: { saves: boolean }; output: null };
  mayUseDevice: { input: undefined; output: boolean };
  attachWebview: { input: { src: string }; output: { prevented: boolean } };
  /** What a page that has been taken over would send past the preload script. */
  sendRaw: {
    input: { from: 'page' | 'frame'; channel: string; values: unknown[] };
    output: { ok: boolean; value: unknown };
  };
  /** Asks the app's own protocol for an address as it is written: Chromium would tidy it up first. */
  requestScheme: {
    input: { url: string; method: string };
    output: { status: number; headers: Record<string, string>; body: string };
  };
  /** From now on the page asks to stay when it is to go. */
  pageIsAtWork: { input: undefined; output: null };
  /** Answered when the app has loaded the page again. */
  crashPage: { input: undefined; output: null };
  quit: { input: undefined; output: null };
};

export type Command = keyof Commands;

export type ToStandIn = { id: number; command: Command; input: unknown };

export type FromStandIn =
  | { type: 'chromium' }
  | { type: 'ready'; endpoint: string }
  | { type: 'relaunch'; args: string[]; execPath: string }
  | { type: 'dialog'; id: number; options: MessageBoxOptions }
  | { type: 'answer'; id: number; ok: boolean; value: unknown };

/** Messages between a test and the stand-in. */
import type { MessageBoxOptions, ProxyConfig, Rectangle, WebPreferences } from 'electron';

type WindowSnapshot = {
  url: string;
  bounds: Rectangle;
  maximized: boolean;
  minimized: boolean;
  focused: boolean;
  visible: boolean;
  webPreferences: WebPreferences;
  /** WebRTC IP handling policy of the page. */
  callPolicy: string;
  /** Proxy of the page's session when the page was created. */
  proxy: ProxyConfig | undefined;
  /** Overlay icon on the taskbar button. */
  overlay?: { width: number; height: number; description: string };
};

export type LoginItem = { path: string; args: string[] };

/** The app's UI outside of its window. */
type DesktopSnapshot = {
  badge: number;
  /** Titles of the visible notifications, oldest first. */
  notifications: string[];
  /** The tray icon, with the scale factors of its image. */
  tray?: { toolTip: string; items: string[]; scales: readonly number[] };
  protocols: { protocol: string; path: string; args: string[] }[];
  /** Login item registered with the system. */
  loginItem?: LoginItem;
};

/** Commands with their input and output. */
export type Commands = {
  /** Assigns the browser context that the app requested. */
  useChromium: { input: { endpoint: string; browserContextId: string }; output: null };
  answerDialog: { input: { id: number; response: number }; output: null };
  /** Sets the path for the next save dialog; null cancels it. */
  willSaveTo: { input: { path: string | null }; output: null };
  /** Sets the file for the next open dialog; null cancels it. */
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
  /** Clicks the app's dock icon. */
  activate: { input: undefined; output: null };
  /** Resumes the machine from sleep. */
  resume: { input: undefined; output: null };
  utilityProcesses: { input: undefined; output: { pid: number | undefined; modulePath: string }[] };
  failUtilityProcess: { input: { location: string }; output: null };
  /** Causes unhandled rejections in the main process. */
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
  /** Downloads with an open save dialog. */
  openDownloads: { input: undefined; output: string[] };
  answerDownload: { input: { saves: boolean }; output: null };
  mayUseDevice: { input: undefined; output: boolean };
  attachWebview: { input: { src: string }; output: { prevented: boolean } };
  /** Sends a message as a compromised page, bypassing the preload script. */
  sendRaw: {
    input: { from: 'page' | 'frame'; channel: string; values: unknown[] };
    output: { ok: boolean; value: unknown };
  };
  /** Requests a URL from the app's protocol unchanged: Chromium would normalize it first. */
  requestScheme: {
    input: { url: string; method: string };
    output: { status: number; headers: Record<string, string>; body: string };
  };
  /** Makes the page block closing with `beforeunload` from now on. */
  pageIsAtWork: { input: undefined; output: null };
  /** Crashes the page. Resolves when the app has reloaded it. */
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

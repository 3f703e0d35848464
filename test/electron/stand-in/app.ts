/** `app`: the application lifecycle, from `ready` to `quit`. */
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FromStandIn, LoginItem } from './control-messages.ts';
import { type ChromiumProcess, joinChromium } from './joined-chromium.ts';
import { LoudEmitter, loud, preventable } from './loud.ts';
import { settings } from './settings.ts';
import { acquireLock } from './single-instance.ts';

type ClosableWindow = { close(): void; isDestroyed(): boolean };

const events = [
  'ready',
  'activate',
  'second-instance',
  'open-url',
  'web-contents-created',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'child-process-gone',
  'select-client-certificate',
];

const configuration = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');

class App extends LoudEmitter {
  readonly name = 'Gatehouse';
  readonly isPackaged = settings.packaged;
  readonly commandLine = loud('app.commandLine', {
    hasSwitch: (name: string) => switchValue(name) !== undefined,
    getSwitchValue: (name: string) => switchValue(name) ?? '',
  });
  readonly #paths: Record<string, string> = {
    home: homedir(),
    temp: tmpdir(),
    appData: configuration,
    userData: join(configuration, this.name),
  };
  readonly #ready = Promise.withResolvers<void>();
  #chromium: ChromiumProcess | undefined;
  #quitting = false;

  constructor() {
    super('app', events);
    // Electron is ready only after the main module has run.
    setImmediate(() => void this.#start());
    // Once: a second signal ends Electron at once.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => this.quit());
  }

  get chromium(): ChromiumProcess {
    if (!this.#chromium) throw new Error('The app is not ready: there are no windows and sessions yet');
    return this.#chromium;
  }

  isReady = () => this.#chromium !== undefined;
  whenReady = () => this.#ready.promise;
  getPreferredSystemLanguages = () => settings.languages ?? ['en-US'];
  getVersion = () => settings.version ?? '0.1.0';
  getName = () => this.name;
  getAppPath = () => process.cwd();

  getPath(name: string): string {
    const path = this.#paths[name];
    if (!path) throw new Error(`The stand-in for electron has no path '${name}'`);
    return path;
  }

  setPath(name: string, path: string): void {
    this.getPath(name);
    this.#paths[name] = path;
  }

  /** Number on the icon; 0 for none. */
  badge = 0;

  setBadgeCount(count = 0): boolean {
    if (process.platform === 'win32') throw new Error('app.setBadgeCount is for Linux and macOS only');
    // Electron converts numbers like this.
    if (count !== (count | 0)) throw new TypeError(`conversion failure from ${count}`);
    this.badge = count;
    return true;
  }

  /** URL schemes registered to this program, with the arguments before the link. */
  readonly protocols: { protocol: string; path: string; args: string[] }[] = [];

  setAsDefaultProtocolClient(protocol: string, path = process.execPath, args: string[] = []): boolean {
    this.protocols.push({ protocol, path, args });
    return true;
  }

  loginItem: LoginItem | undefined;

  setLoginItemSettings({
    openAtLogin = false,
    ...wanted
  }: Partial<LoginItem> & { openAtLogin?: boolean }): void {
    if (process.platform === 'linux') throw new Error('app.setLoginItemSettings does nothing on Linux');
    this.loginItem = openAtLogin ? asLoginItem(wanted) : undefined;
  }

  /** Windows identifies a login item by its path and arguments, macOS by the app. */
  getLoginItemSettings(asked: Partial<LoginItem> = {}) {
    if (process.platform === 'linux') throw new Error('app.getLoginItemSettings knows nothing on Linux');
    const isSame = JSON.stringify(this.loginItem) === JSON.stringify(asLoginItem(asked));
    const openAtLogin = this.loginItem !== undefined && (isSame || process.platform === 'darwin');
    return { openAtLogin, wasOpenedAtLogin: false };
  }

  aboutPanel: Record<string, unknown> = {};

  setAboutPanelOptions(options: Record<string, unknown>): void {
    this.aboutPanel = options;
  }

  requestSingleInstanceLock(): boolean {
    return acquireLock(this.getPath('userData'), (argv, workingDirectory) => {
      this.emit('second-instance', preventable({}), argv, workingDirectory, undefined);
    });
  }

  /** Emits `before-quit`, closes the windows, emits `will-quit`, and exits. */
  quit(): void {
    if (this.#quitting) return;
    this.#quitting = true;
    if (this.#prevented('before-quit')) return;
    for (const window of openWindows) window.close();
    if (openWindows.size > 0 || this.#prevented('will-quit')) {
      this.#quitting = false;
      return;
    }
    void this.#end(0);
  }

  /** The requested relaunch. The test gets it; no process is started. */
  relaunches: { args: string[]; execPath: string } | undefined;

  relaunch({ args = process.argv.slice(1), execPath = process.execPath } = {}): void {
    this.relaunches = { args, execPath };
  }

  exit(code = 0): void {
    void this.#end(code);
  }

  windowClosed(window: ClosableWindow): void {
    openWindows.delete(window);
    if (openWindows.size > 0 || this.#quitting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  windowOpened(window: ClosableWindow): void {
    openWindows.add(window);
  }

  #prevented(event: string): boolean {
    const details = preventable({});
    this.emit(event, details);
    if (details.defaultPrevented) this.#quitting = false;
    return details.defaultPrevented;
  }

  async #start(): Promise<void> {
    if (this.#quitting) return;
    const userData = resolve(this.getPath('userData'));
    mkdirSync(userData, { recursive: true });
    this.#chromium = await (settings.sharedChromium ? joinGiven() : startOwn(userData));
    this.emit('ready');
    this.#ready.resolve();
  }

  async #end(code: number): Promise<void> {
    this.emit('quit', preventable({}), code);
    await this.#chromium?.close();
    process.exit(code);
  }
}

/** The browser context that the test assigns to the app. */
export const given = Promise.withResolvers<{ endpoint: string; browserContextId: string }>();

async function joinGiven(): Promise<ChromiumProcess> {
  process.send?.({ type: 'chromium' } satisfies FromStandIn);
  const { endpoint, browserContextId } = await given.promise;
  return joinChromium(endpoint, browserContextId);
}

/** Imported lazily: the Chromium launcher takes longer to load than everything else. */
async function startOwn(userData: string): Promise<ChromiumProcess> {
  const { startChromium } = await import('./chromium-process.ts');
  return startChromium(userData);
}

const asLoginItem = ({ path = process.execPath, args = [] }: Partial<LoginItem>): LoginItem => ({
  path,
  args,
});

const openWindows = new Set<ClosableWindow>();

function switchValue(name: string): string | undefined {
  const given = process.argv.find(
    (argument) => argument === `--${name}` || argument.startsWith(`--${name}=`),
  );
  return given?.slice(name.length + 3);
}

/** The full object for the stand-in's modules; the main process sees `app`. */
export const theApp = new App();
export const app = loud('app', theApp);

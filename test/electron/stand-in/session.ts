/** `session.defaultSession`: what pages may use of the machine, and what they download. */
import type { ProxyConfig } from 'electron';
import { fromPage, toPage } from './addresses.ts';
import { theApp } from './app.ts';
import { LoudEmitter, loud, preventable } from './loud.ts';
import { protocol, registeredSchemes } from './protocol.ts';

type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean },
) => void;

/** Electron's names of permissions, and how Chromium describes them. */
const permissions: Record<string, object> = {
  'clipboard-read': { name: 'clipboard-read' },
  'clipboard-sanitized-write': { name: 'clipboard-write', allowWithoutSanitization: false },
  geolocation: { name: 'geolocation' },
  midi: { name: 'midi' },
  notifications: { name: 'notifications' },
  'idle-detection': { name: 'idle-detection' },
};

class Session extends LoudEmitter {
  readonly protocol = protocol;
  checkHandler: CheckHandler | undefined;
  requestHandler: RequestHandler | undefined;
  deviceHandler: ((details: object) => boolean) | undefined;
  proxy: ProxyConfig | undefined;

  constructor() {
    super('session', ['will-download']);
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.checkHandler = handler;
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.requestHandler = handler;
  }

  setDevicePermissionHandler(handler: (details: object) => boolean): void {
    this.deviceHandler = handler;
  }

  async setProxy(config: ProxyConfig): Promise<void> {
    this.proxy = config;
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    if (event === 'will-download') void watchDownloads(this);
    return super.on(event, listener);
  }
}

export function fetchOverNetwork(address: string, options?: RequestInit): Promise<Response> {
  if (!/^https?:/.test(address)) throw new Error(`The stand-in for electron does not load ${address}`);
  return fetch(address, options);
}

export const theSession = new Session();
export const defaultSession = loud('session', theSession);
export const session = loud('session', {
  defaultSession,
  fromPartition: (name: string) => loud(`session ${name}`, { fetch: fetchOverNetwork }),
});

/** What the handlers say to one permission; without a handler Electron grants. */
export async function askPermission(contents: unknown, permission: string, url: string) {
  const origin = `${url.split('/', 3).join('/')}/`;
  const checked = theSession.checkHandler?.(contents, permission, origin, {}) ?? true;
  const requested = await new Promise<boolean>((resolve) => {
    const { requestHandler } = theSession;
    if (!requestHandler) resolve(true);
    else requestHandler(contents, permission, resolve, { requestingUrl: url, isMainFrame: true });
  });
  return { checked, requested };
}

/** Chromium does not ask the main process each time, so it is told beforehand what the answers are. */
export async function pagePermissions(contents: unknown, url: string): Promise<void> {
  const origin = new URL(toPage(url, registeredSchemes())).origin;
  const { devtools, browserContextId } = theApp.chromium;
  for (const [permission, descriptor] of Object.entries(permissions)) {
    const { checked, requested } = await askPermission(contents, permission, url);
    await devtools.send('Browser.setPermission', {
      permission: descriptor,
      setting: checked && requested ? 'granted' : 'denied',
      origin,
      browserContextId,
    });
  }
}

class DownloadItem extends LoudEmitter {
  readonly #url: string;
  readonly #name: string;

  constructor(url: string, name: string) {
    super('DownloadItem', ['done']);
    this.#url = url;
    this.#name = name;
  }

  getURL = () => this.#url;
  getFilename = () => this.#name;
}

/** The person is asked where each of them is to go, and answers when the test does. */
export const openDownloads: DownloadItem[] = [];

async function watchDownloads(target: Session): Promise<void> {
  const { devtools, browserContextId } = theApp.chromium;
  devtools.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
    const item = new DownloadItem(fromPage(url), suggestedFilename);
    const event = preventable({});
    target.emit('will-download', event, loud('DownloadItem', item));
    if (event.defaultPrevented) void devtools.send('Browser.cancelDownload', { guid }).catch(() => {});
    else openDownloads.push(item);
  });
  await devtools.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: theApp.getPath('userData'),
    eventsEnabled: true,
    browserContextId,
  });
}

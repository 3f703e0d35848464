/** `session.defaultSession`: permissions and downloads of pages. */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
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

/** Electron's permission names with Chromium's descriptors. */
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

type VerifyProc = (
  request: { hostname: string; errorCode: number; certificate: object },
  answer: (result: number) => void,
) => void;

/** Maps OpenSSL's certificate errors to Chromium's codes. */
const errorCodes: Record<string, [code: number, name: string]> = {
  ERR_TLS_CERT_ALTNAME_INVALID: [-200, 'ERR_CERT_COMMON_NAME_INVALID'],
  CERT_HAS_EXPIRED: [-201, 'ERR_CERT_DATE_INVALID'],
};
const authorityInvalid: [number, string] = [-202, 'ERR_CERT_AUTHORITY_INVALID'];

/** A session without pages: network requests whose certificates the main process verifies. */
class ServersSession {
  #verify: VerifyProc | undefined;

  setCertificateVerifyProc(proc: VerifyProc): void {
    this.#verify = proc;
  }

  fetch = async (address: string, options?: RequestInit): Promise<Response> => {
    if (!address.startsWith('https:')) return fetchOverNetwork(address, options);
    const { hostname, port } = new URL(address);
    const socket = connect({
      host: hostname,
      port: Number(port),
      servername: hostname,
      rejectUnauthorized: false,
    });
    await once(socket, 'secureConnect');
    const [code, name] = socket.authorized
      ? [0, '']
      : (errorCodes[String(socket.authorizationError)] ?? authorityInvalid);
    const certificate = asElectron(socket.getPeerX509Certificate());
    socket.destroy();
    const result = await new Promise<number>((answer) => {
      if (this.#verify) this.#verify({ hostname, errorCode: code, certificate }, answer);
      else answer(-3);
    });
    if (result === -2 || (result === -3 && code !== 0)) throw new Error(`net::${name}`);
    return fetchTrusting(address, options);
  };
}

const asElectron = (certificate: X509Certificate | undefined): object => ({
  data: certificate?.toString(),
  ...(certificate?.issuerCertificate && { issuerCert: asElectron(certificate.issuerCertificate) }),
});

async function fetchTrusting(
  address: string,
  { method, headers, body }: RequestInit = {},
): Promise<Response> {
  const sent = request(address, {
    method: method ?? 'GET',
    headers: headers as Record<string, string>,
    rejectUnauthorized: false,
  });
  sent.end(body ?? undefined);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await reply.toArray());
  return new Response(bytes, { status: reply.statusCode ?? 0 });
}

const serverSessions = new Map<string, ServersSession>();

function fromPartition(name: string): ServersSession {
  const found = serverSessions.get(name) ?? new ServersSession();
  serverSessions.set(name, found);
  return loud(`session ${name}`, found);
}

export const theSession = new Session();
export const defaultSession = loud('session', theSession);
export const session = loud('session', {
  defaultSession,
  fromPartition,
});

/** Returns the handlers' decision on a permission. Electron grants permissions without a handler. */
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

/** Chromium doesn't ask the main process for each request, so permissions are set in advance. */
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

/** Downloads with an open save dialog, which the test answers. */
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

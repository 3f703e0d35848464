import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { protocol } from 'electron';
import { contentSecurityPolicy } from '../../shared/content-security-policy.ts';

/** Serves the console inside the app: the same path as in a browser, under a custom scheme. */

export const scheme = 'app';
const consoleOrigin = 'app://gatehouse';
const consoleBase = '/console/';
export const consoleUrl = consoleOrigin + consoleBase;

/** Whether an address is one of the console's pages. */
export function isConsoleUrl(address: string): boolean {
  const url = URL.parse(address);
  // `origin` is "null" for a custom scheme, so its parts are compared.
  return (
    url?.protocol === `${scheme}:` &&
    url.host === 'gatehouse' &&
    !url.username &&
    !url.password &&
    url.pathname.startsWith(consoleBase)
  );
}

/** Serves the console's files as `app://gatehouse/console/`, and nothing else. */

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy("'self'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=(), serial=(), hid=()',
};

/** Called before the app is ready. */
export function registerConsoleScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }]);
}

export function serveConsole(directory: string): void {
  protocol.handle(scheme, (request) => consoleFile(directory, request));
}

/** Returns a file of the console, or its page for a screen's address. */
async function consoleFile(directory: string, { method, url }: Request): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD') return emptyReply(405);
  if (!isConsoleUrl(url)) return emptyReply(404);
  const path = decodePath(new URL(url).pathname.slice(consoleBase.length));
  if (path === undefined) return emptyReply(404);

  const isAsset = path.startsWith('assets/') || extname(path) in contentTypes;
  if (isAsset && /[\\\0]/.test(path)) return emptyReply(404);
  const file = await findFile(directory, isAsset ? path : 'index.html');
  if (!file) return emptyReply(404);
  const headers = { 'content-type': contentTypes[extname(file)] ?? 'application/octet-stream' };
  return new Response(method === 'HEAD' ? null : await readFile(file), {
    headers: { ...securityHeaders, ...headers },
  });
}

function decodePath(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The real path of a file, if it is inside the directory after resolving links. */
async function findFile(directory: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(directory);
    const file = await realpath(join(root, path));
    const isInside = file.startsWith(root + sep) && (await stat(file)).isFile();
    return isInside ? file : undefined;
  } catch {
    return undefined;
  }
}

const emptyReply = (status: number) => new Response(null, { status, headers: securityHeaders });

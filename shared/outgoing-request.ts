/**
 * Requests that the page can send to a connected server. All software on the path must parse the URL path in the same
 * way, and it must not be an endpoint that returns secrets.
 */
import { type Connection, ConnectionFailure, type OutgoingRequest } from './connection.ts';
import { dialects } from './dialect.ts';
import { masAdminPrefix } from './mas.ts';

/** A request of the page. The main process adds the address and the token. */
export type PageRequest = {
  method: OutgoingRequest['method'];
  /** From the first `/`, with its query. */
  path: string;
  /** The body as JSON, for every method but GET. */
  body?: unknown;
};

/** Maximum body, in characters of JSON: an event may be 64 KB, a list of IDs more. */
const mostBodyLength = 1024 * 1024;

/** Longer for changes, because a timeout leaves their outcome unknown. */
const changeTimeoutMs = 60_000;

/**
 * Returns the request to send to a connected server.
 *
 * @throws ConnectionFailure `refused` if it isn't allowed
 */
export function outgoingRequest(
  { connection, accessToken }: { connection: Connection; accessToken: string },
  { method, path, body }: PageRequest,
): OutgoingRequest {
  const url = requestUrl(connection, path);
  if (method === 'GET') {
    if (body !== undefined)
      throw new ConnectionFailure('refused', /*i18n*/ "Read requests can't have a body.");
    return { method, url, accessToken };
  }
  // Before serializing: an object with shared parts could become endless as text.
  if (
    body !== undefined &&
    (!isWithin(body, mostBodyLength) || JSON.stringify(body).length > mostBodyLength)
  ) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Too much data. Send it in smaller parts.');
  }
  return { method, url, accessToken, timeoutMs: changeTimeoutMs, ...(body === undefined ? {} : { body }) };
}

/** Whether a value is at most this long as JSON, estimated by its strings and number of parts. */
function isWithin(value: unknown, most: number): boolean {
  let left = most;
  const open = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    left -= 1;
    if (typeof next === 'string') left -= next.length;
    else if (ArrayBuffer.isView(next)) left -= next.byteLength;
    else if (Array.isArray(next)) {
      left -= next.length;
      // Only then, because the array may be sparse.
      if (left >= 0) for (const part of next) open.push(part);
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, part] of Object.entries(next)) {
        left -= name.length;
        open.push(part);
      }
    }
  }
  return left >= 0;
}

/** In characters, with the query: a common limit of servers and proxies. */
const longestPath = 16 * 1024;

/** Characters that `encodeURIComponent` doesn't encode, and separators. */
const plainPath = /^\/[\w\-.~!$&'()*+,=:@%/?]*$/;

/**
 * Endpoints that create, refresh or end a session, or hand out a token. Only the main process may use them. Tested on
 * the path as a proxy that decodes paths would forward it.
 */
const sessionEndpoint = new RegExp(
  [
    '/client/(?:api/v1|[^/]+|unstable/[^/]+)/(?:login|register|refresh|logout)(?:/|$)',
    '/openid/request_token$',
    String.raw`/admin/v\d+/register$`,
    String.raw`/admin/v\d+/users/.+/login$`,
  ].join('|'),
);

/**
 * Returns the URL of a path, with its query, on a connection's server; for MAS's admin API, on its MAS.
 *
 * @throws ConnectionFailure `refused`
 */
export function requestUrl(
  connection: Pick<Connection, 'baseUrl' | 'dialect' | 'mas'>,
  path: string,
): string {
  if (path.length > longestPath || !plainPath.test(path)) throw refused();
  const [pathname = ''] = path.split('?', 1);
  if (pathname.slice(1).split('/').includes('')) throw refused();
  const { mas } = connection;
  if (mas && pathname.startsWith(`${masAdminPrefix}/`)) {
    if (!decodedPath(pathname).startsWith(`${masAdminPrefix}/`)) throw refused();
    return urlBelow(mas.url, path);
  }
  if (sessionEndpoint.test(decodedPath(pathname))) throw refused();

  const { administration, chat } = dialects[connection.dialect];
  const allowed = [
    `${administration}/admin/`,
    ...chatApis.map((api) => `${chat}/${api}/`),
    '/_gatehouse/v1/',
  ];
  if (!allowed.some((prefix) => pathname.startsWith(prefix))) throw refused();
  return urlBelow(connection.baseUrl, path);
}

/** Requires that the URL parser reads the path as it was checked. */
function urlBelow(baseUrl: string, path: string): string {
  const [pathname = ''] = path.split('?', 1);
  const base = new URL(baseUrl);
  const url = new URL(baseUrl + path);
  if (url.origin !== base.origin || url.pathname !== base.pathname.replace(/\/$/, '') + pathname) {
    throw refused();
  }
  return url.href;
}

const chatApis = ['client', 'federation', 'key', 'media'];

/**
 * Returns the path in lower case, decoded once and with its dot segments resolved. Identifiers may contain slashes and
 * dots, so this is not the path that the server reads.
 */
function decodedPath(pathname: string): string {
  const resolved: string[] = [];
  for (const segment of decode(pathname).toLowerCase().split('/')) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.' && segment !== '') resolved.push(segment);
  }
  return `/${resolved.join('/')}`;
}

function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw refused();
  }
}

const refused = () => new ConnectionFailure('refused', /*i18n*/ "The console can't send this request.");

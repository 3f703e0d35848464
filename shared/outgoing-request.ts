/**
 * Which requests to a connected server the page can have sent. It names a path; that path has to mean the
 * same to everyone who reads it on the way, and must not be one that hands out secrets.
 */
import { type Connection, ConnectionFailure, type OutgoingRequest } from './connection.ts';
import { dialects } from './dialect.ts';

/** What the page asks for: the address and the token are added outside of its reach. */
export type PageRequest = {
  method: OutgoingRequest['method'];
  /** From the first `/`, with its query. */
  path: string;
  /** The body as JSON, for every method but GET. */
  body?: unknown;
};

/** The most that the page sends at once, in characters of JSON: an event may be 64 KB, a list of ids more. */
const mostBodyLength = 1024 * 1024;

/** A change may take a server longer than a look; to give up on it early is not to know what became of it. */
const changeTimeoutMs = 60_000;

/**
 * The request as it leaves for the server of a connection.
 *
 * @throws ConnectionFailure `refused` where it must not leave
 */
export function outgoingRequest(
  { connection, accessToken }: { connection: Connection; accessToken: string },
  { method, path, body }: PageRequest,
): OutgoingRequest {
  const url = requestUrl(connection, path);
  if (method === 'GET') {
    if (body !== undefined)
      throw new ConnectionFailure('refused', /*i18n*/ 'A request that reads has no body.');
    return { method, url, accessToken };
  }
  // Measured as it is first: of what shares its parts a small message becomes a text without end.
  if (
    body !== undefined &&
    (!isWithin(body, mostBodyLength) || JSON.stringify(body).length > mostBodyLength)
  ) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'This is too much to send at once. Send it in smaller parts.',
    );
  }
  return { method, url, accessToken, timeoutMs: changeTimeoutMs, ...(body === undefined ? {} : { body }) };
}

/** Whether a value is at most so long as JSON, as far as its strings and the number of its parts tell. */
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
      // Not before that: it may be mostly holes.
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

/** In characters, with the query: servers and proxies take no more either. */
const longestPath = 16 * 1024;

/** What `encodeURIComponent` leaves as it is, and what stands between its pieces. */
const plainPath = /^\/[\w\-.~!$&'()*+,=:@%/?]*$/;

/** Sessions begin and end in the main process only: below these, such endpoints make, renew or end one, or mint a token. */
const sessionEndpoints: Record<string, ReadonlySet<string>> = {
  client: new Set(['login', 'register', 'refresh', 'logout', 'get_token', 'request_token']),
  admin: new Set(['login', 'register']),
};

function isSessionEndpoint(segments: readonly string[]): boolean {
  return Object.entries(sessionEndpoints).some(([api, endpoints]) => {
    const begins = segments.indexOf(api, 1);
    return begins !== -1 && segments.slice(begins + 1).some((segment) => endpoints.has(segment));
  });
}

/** A token with which people register can have the name of such an endpoint. */
const registrationToken = /^\/[^/]+\/admin\/v1\/registration_tokens\/[^/]+$/;

/**
 * The whole address of a path, with its query, on a connection's server.
 *
 * @throws ConnectionFailure `refused`
 */
export function requestUrl(connection: Pick<Connection, 'baseUrl' | 'dialect'>, path: string): string {
  if (path.length > longestPath || !plainPath.test(path)) throw refused();
  const [pathname = ''] = path.split('?', 1);
  const decoded = `/${pathname.slice(1).split('/').map(decodeSegment).join('/')}`.toLowerCase();
  const isToken = registrationToken.test(decoded);
  if (!isToken && isSessionEndpoint(decoded.split('/'))) throw refused();

  const { administration, chat } = dialects[connection.dialect];
  const allowed = [
    `${administration}/admin/`,
    ...chatApis.map((api) => `${chat}/${api}/`),
    '/_gatehouse/v1/',
  ];
  if (!allowed.some((prefix) => pathname.startsWith(prefix))) throw refused();

  // The parser has the last word: had it read the path in another way, nothing above would hold.
  const base = new URL(connection.baseUrl);
  const url = new URL(connection.baseUrl + path);
  if (url.origin !== base.origin || url.pathname !== base.pathname.replace(/\/$/, '') + pathname) {
    throw refused();
  }
  return url.href;
}

const chatApis = ['client', 'federation', 'key', 'media'];

/** Decodes one segment. It may hold a slash (event ids do), but nothing that moves to another path. */
function decodeSegment(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw refused();
  }
  const moves = segment === '' || decoded.split('/').some((part) => part === '.' || part === '..');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const misleads = /[\\\u0000-\u001f\u007f]|%[0-9a-f]{2}/i.test(decoded);
  if (moves || misleads) throw refused();
  return decoded;
}

const refused = () =>
  new ConnectionFailure('refused', /*i18n*/ 'The console does not send this request to a server.');

/** Reading what an address leads to, without ever being led to where this server may not go. */
import type { Config } from '../../platform/config/config.ts';
import type { UrlPattern } from '../../platform/config/url-previews.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { matchesGlob, wholePattern } from '../../platform/core/patterns.ts';
import { ForbiddenAddress, fetchOutgoing, ReplyTooLong } from '../../platform/http/outgoing.ts';

export type PreviewConfig = NonNullable<Config['urlPreviews']>;

/** What an address leads to, after redirections. */
export type Found = { address: URL; contentType: string; content: Buffer };

const redirectionsAtMost = 5;
/** How long each request may take, in milliseconds. */
const patience = 10_000;

/**
 * Reads what an address leads to. Every address on the way is held to the same rules as the first.
 *
 * @throws MatrixError 400 for what is no address of the web; 403 for one that is blocked; 502 where there is nothing
 */
export async function lookAt(config: PreviewConfig, address: URL, signal: AbortSignal): Promise<Found> {
  let next = address;
  for (let followed = 0; followed <= redirectionsAtMost; followed++) {
    await requireWanted(config, next);
    const { status, headers, content } = await read(config, next, signal);
    const target = status >= 300 && status < 400 ? headers.location : undefined;
    if (target === undefined) {
      if (status !== 200) throw failed(`Got error ${status}`);
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') throw failed('Unexpected content encoding');
      return { address: next, contentType: (headers['content-type'] ?? '').toLowerCase(), content };
    }
    next = requireWebAddress(target, next);
  }
  throw failed('Too many redirects');
}

/** @throws MatrixError 400 */
export function requireWebAddress(text: string, base?: URL): URL {
  const address = URL.parse(text, base);
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new MatrixError(400, 'M_INVALID_PARAM', 'Not an HTTP or HTTPS URL');
  }
  address.hash = '';
  return address;
}

async function read(config: PreviewConfig, address: URL, signal: AbortSignal) {
  const { callable, acceptLanguage, maximumSize } = config;
  const request = {
    method: 'GET' as const,
    headers: {
      accept: 'text/html, image/*;q=0.9',
      'accept-encoding': 'identity',
      'accept-language': acceptLanguage,
      'user-agent': 'Gatehouse (bot)',
    },
    timeoutMs: patience,
    signal,
    onlyPublicOr: callable.allowed,
    neverTo: callable.blocked,
  };
  try {
    return await fetchOutgoing(address, request, maximumSize);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new MatrixError(403, 'M_UNKNOWN', 'IP address blocked');
    if (error instanceof ReplyTooLong) throw failed('Requested file is too large');
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') {
      throw failed('DNS resolution failure during URL preview generation');
    }
    throw failed("Couldn't fetch the URL");
  }
}

const failed = (sentence: string) => new MatrixError(502, 'M_UNKNOWN', sentence);

/** @throws MatrixError 403 for an address that matches a pattern of blocked ones in every part that it names */
async function requireWanted({ blockedUrls }: PreviewConfig, address: URL): Promise<void> {
  for (const pattern of blockedUrls) {
    if (await matches(pattern, address)) {
      throw new MatrixError(403, 'M_UNKNOWN', 'URL blocked by url pattern blacklist entry');
    }
  }
}

async function matches(pattern: UrlPattern, address: URL): Promise<boolean> {
  const parts = Object.entries(pattern) as [keyof UrlPattern, string][];
  for (const [name, expression] of parts) {
    const part = partOf(address, name);
    const isMatch = expression.startsWith('^')
      ? (await wholePattern(expression.endsWith('$') ? expression : `${expression}.*`))(part)
      : part !== '' && matchesGlob(expression, part);
    if (!isMatch) return false;
  }
  return parts.length > 0;
}

function partOf(address: URL, name: keyof UrlPattern): string {
  const { username, password, host } = address;
  const user = password === '' ? username : `${username}:${password}`;
  const parts: Record<keyof UrlPattern, string> = {
    scheme: address.protocol.slice(0, -1),
    netloc: user === '' ? host : `${user}@${host}`,
    hostname: address.hostname,
    port: address.port,
    ...{ username, password },
    path: address.pathname,
    query: address.search.slice(1),
    fragment: address.hash.slice(1),
  };
  return parts[name];
}

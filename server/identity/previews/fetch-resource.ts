/** Fetches the pages and images of URL previews. Each redirect is checked like the first URL. */
import type { Config } from '../../platform/config/config.ts';
import type { UrlPattern } from '../../platform/config/url-previews.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { matchesGlob, wholePattern } from '../../platform/core/patterns.ts';
import { ForbiddenAddress, fetchOutgoing, ReplyTooLong } from '../../platform/http/outgoing.ts';

export type PreviewConfig = NonNullable<Config['urlPreviews']>;

/** A page or image, and its URL after redirects. */
export type Resource = { url: URL; contentType: string; content: Buffer };

const maximumRedirects = 5;
/** Per request, in milliseconds. */
const timeout = 10_000;

/** @throws MatrixError 400 for another scheme than HTTP; 403 for a blocked URL; 502 if it can't be fetched */
export async function fetchResource(config: PreviewConfig, url: URL, signal: AbortSignal): Promise<Resource> {
  let next = url;
  for (let redirects = 0; redirects <= maximumRedirects; redirects++) {
    await requireAllowed(config, next);
    const { status, headers, content } = await request(config, next, signal);
    const target = status >= 300 && status < 400 ? headers.location : undefined;
    if (target === undefined) {
      if (status !== 200) throw failed(`Got error ${status}`);
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') throw failed('Unexpected content encoding');
      return { url: next, contentType: (headers['content-type'] ?? '').toLowerCase(), content };
    }
    next = requireWebUrl(target, next);
  }
  throw failed('Too many redirects');
}

/** @throws MatrixError 400 */
export function requireWebUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new MatrixError(400, 'M_INVALID_PARAM', 'Not an HTTP or HTTPS URL');
  }
  url.hash = '';
  return url;
}

async function request(config: PreviewConfig, url: URL, signal: AbortSignal) {
  const { callable, acceptLanguage, maximumSize } = config;
  const options = {
    method: 'GET' as const,
    headers: {
      accept: 'text/html, image/*;q=0.9',
      'accept-encoding': 'identity',
      'accept-language': acceptLanguage,
      'user-agent': 'Gatehouse (bot)',
    },
    timeoutMs: timeout,
    signal,
    onlyPublicOr: callable.allowed,
    neverTo: callable.blocked,
  };
  try {
    return await fetchOutgoing(url, options, maximumSize);
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

/** @throws MatrixError 403 for a URL that matches every part of a blocked pattern */
async function requireAllowed({ blockedUrls }: PreviewConfig, url: URL): Promise<void> {
  for (const pattern of blockedUrls) {
    if (await matches(pattern, url)) {
      throw new MatrixError(403, 'M_UNKNOWN', 'URL blocked by url pattern blacklist entry');
    }
  }
}

async function matches(pattern: UrlPattern, url: URL): Promise<boolean> {
  const parts = Object.entries(pattern) as [keyof UrlPattern, string][];
  for (const [name, expression] of parts) {
    const part = partOf(url, name);
    const isMatch = expression.startsWith('^')
      ? (await wholePattern(expression.endsWith('$') ? expression : `${expression}.*`))(part)
      : part !== '' && matchesGlob(expression, part);
    if (!isMatch) return false;
  }
  return parts.length > 0;
}

function partOf(url: URL, name: keyof UrlPattern): string {
  const { username, password, host } = url;
  const user = password === '' ? username : `${username}:${password}`;
  const parts: Record<keyof UrlPattern, string> = {
    scheme: url.protocol.slice(0, -1),
    netloc: user === '' ? host : `${user}@${host}`,
    hostname: url.hostname,
    port: url.port,
    ...{ username, password },
    path: url.pathname,
    query: url.search.slice(1),
    fragment: url.hash.slice(1),
  };
  return parts[name];
}

import {
  ConnectionFailure,
  type IncomingReply,
  mostReplyBytes,
  type OutgoingRequest,
  usualTimeoutMs,
} from '../../shared/connection.ts';
import { parseJson, readAtMost, timedOut } from '../../shared/reply-content.ts';
import type { RequestOptions } from './host.ts';

/**
 * Sends one request from the page.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`, or `refused` if the reply is too large
 */
export function sendFromPage(request: OutgoingRequest, options?: RequestOptions): Promise<IncomingReply> {
  const read = async (response: Response) => ({
    status: response.status,
    body: parseJson(await readAtMost(response, mostReplyBytes)),
  });
  return fetchFromPage(request, read, options);
}

/** Sends one request with a custom reader. The timeout includes reading. */
export async function fetchFromPage<Content>(
  request: OutgoingRequest,
  read: (response: Response) => Promise<Content>,
  { signal, keepalive = false }: RequestOptions = {},
): Promise<Content> {
  const { method, url, accessToken, body, content, timeoutMs = usualTimeoutMs } = request;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(content && { 'content-type': content.type }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(content && { body: content.bytes }),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      keepalive,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      // A redirect must not leak a token or password to another server.
      redirect: accessToken === undefined && body === undefined ? 'follow' : 'error',
    });
    return await read(response);
  } catch (error) {
    if (timeout.signal.aborted) throw timedOut(request);
    if (signal?.aborted || error instanceof ConnectionFailure) throw error;
    const { origin, protocol } = new URL(url);
    throw new ConnectionFailure(
      'unreachable',
      protocol === 'https:'
        ? /*i18n*/ "Can't reach {origin}, or its certificate isn't trusted. Check the address and network, or open it in a tab."
        : /*i18n*/ "Can't reach {origin}. Check the address, the server and your network.",
      { origin },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Requests out of the main process, over Chromium's network stack: the system's proxy and certificates hold. */
import { type net, session } from 'electron';
import {
  ConnectionFailure,
  mostReplyBytes,
  type OutgoingRequest,
  type Send,
  usualTimeoutMs,
} from '../shared/connection.ts';
import { parseJson, readAtMost, timedOut } from '../shared/reply-content.ts';

/** As `net.fetch`, apart from the page's session, which leads nowhere. Nothing of this one is kept. */
export const fetchFromServer: typeof net.fetch = (url, init) =>
  session.fromPartition('servers', { cache: false }).fetch(url, init);

/** Sends a request and gives back the status and the JSON that came. A redirect is not followed. */
export const send: Send = async (request, signal) => {
  const { status, bytes } = await fetchBytes(request, mostReplyBytes, signal);
  return { status, body: parseJson(bytes) };
};

/**
 * Sends a request and reads the whole reply.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`, `cancelled`, or `refused` where the reply is too large
 */
export async function fetchBytes(
  request: OutgoingRequest,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
  const { method, url, accessToken, body, content, timeoutMs = usualTimeoutMs } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const { host } = new URL(url);
  try {
    const response = await fetchFromServer(url, {
      method,
      headers: {
        accept: '*/*',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(content === undefined ? {} : { 'content-type': content.type }),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      body: content?.bytes ?? (body === undefined ? null : JSON.stringify(body)),
      // No jar of cookies and no cache: a reply belongs to one person on one connection.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return { status: response.status, bytes: await readAtMost(response, mostBytes) };
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    if (signal?.aborted) throw new ConnectionFailure('cancelled', /*i18n*/ 'Nobody waits for this any more.');
    if (deadline.aborted) throw timedOut(request);
    if (isRedirect(error)) return { status: 302, bytes: new Uint8Array() };
    throw new ConnectionFailure(
      'unreachable',
      /*i18n*/ "{host} can't be reached ({reason}). Check the address and that the server runs.",
      { host, reason: reason(error) },
    );
  }
}

/** Electron can't hand out the reply that redirects: all that it does is to say that there was one. */
const isRedirect = (error: unknown) => /redirect/i.test(reason(error));

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

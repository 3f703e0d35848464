import { ConnectionFailure, type IncomingReply, type OutgoingRequest } from '../../shared/connection.ts';

const timeoutSeconds = 10;

/**
 * Sends one request from the page. The `Send` of shared/connection.ts, with a signal for callers that can
 * stop waiting.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`
 */
export function sendFromPage(request: OutgoingRequest, signal?: AbortSignal): Promise<IncomingReply> {
  const read = async (response: Response) => ({
    status: response.status,
    body: parseJson(await response.text()),
  });
  return fetchFromPage(request, read, signal);
}

/** The same for what isn't JSON; reading the response counts towards the timeout. */
export async function fetchFromPage<Content>(
  request: OutgoingRequest,
  read: (response: Response) => Promise<Content>,
  signal?: AbortSignal,
): Promise<Content> {
  const { method, url, accessToken, body } = request;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutSeconds * 1000);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      // A token must not follow a server to wherever it points.
      redirect: accessToken === undefined ? 'follow' : 'error',
    });
    return await read(response);
  } catch (error) {
    if (timeout.signal.aborted) {
      throw new ConnectionFailure(
        'timeout',
        `The server didn't answer in ${timeoutSeconds} s. It may be starting or busy: try again.`,
      );
    }
    if (signal?.aborted) throw error;
    throw new ConnectionFailure(
      'unreachable',
      `Nothing answers at ${new URL(url).origin}. Check the address, that the server runs, and your network.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: whoever reads the reply checks its shape and says so.
    return undefined;
  }
}

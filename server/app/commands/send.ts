import { ConnectionFailure, type IncomingReply, type OutgoingRequest } from '../../../shared/connection.ts';
import { readJson } from '../../../shared/read-json.ts';

const timeoutSeconds = 10;

/**
 * Sends one request from the command line. The `Send` of shared/connection.ts.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`
 */
export async function send({ method, url, accessToken, body }: OutgoingRequest): Promise<IncomingReply> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: timeout,
      // With a token, redirects are refused: they could send it to another server.
      redirect: accessToken === undefined ? 'follow' : 'error',
    });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch {
    const { origin } = new URL(url);
    throw timeout.aborted
      ? new ConnectionFailure(
          'timeout',
          `${origin} didn't answer in ${timeoutSeconds} s. It may be starting or busy. Try again.`,
        )
      : new ConnectionFailure(
          'unreachable',
          `Can't reach ${origin}. Check the address and that the server is running.`,
        );
  }
}

function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

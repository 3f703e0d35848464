/** Requests out of the main process, over Chromium's network stack: the system's proxy and certificates hold. */
import { net } from 'electron';
import { ConnectionFailure, type OutgoingRequest, type Send } from '../shared/connection.ts';

const answersWithinMs = 10_000;
const maximumJsonBytes = 64 * 1024 * 1024;

/** Sends a request and gives back the status and the JSON that came. A redirect is not followed. */
export const send: Send = async (request) => {
  const { status, bytes } = await fetchBytes(request, maximumJsonBytes);
  return { status, body: parseJson(bytes) };
};

/**
 * Sends a request and reads the whole reply.
 *
 * @throws ConnectionFailure `unreachable`, `timeout`, or `refused` where the reply is larger than allowed
 */
export async function fetchBytes(
  { method, url, accessToken, body }: OutgoingRequest,
  maximumBytes: number,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
  const deadline = AbortSignal.timeout(answersWithinMs);
  const { host } = new URL(url);
  try {
    const response = await net.fetch(url, {
      method,
      headers: {
        accept: '*/*',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // No jar of cookies and no cache: a reply belongs to one person on one connection.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: deadline,
    });
    return { status: response.status, bytes: await readAtMost(response, maximumBytes) };
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    if (deadline.aborted) {
      const seconds = answersWithinMs / 1000;
      const message = `${host} didn't answer in ${seconds} s. It may be starting: try again.`;
      throw new ConnectionFailure('timeout', message);
    }
    if (isRedirect(error)) return { status: 302, bytes: new Uint8Array() };
    throw new ConnectionFailure(
      'unreachable',
      `${host} can't be reached (${reason(error)}). Check the address and that the server runs.`,
    );
  }
}

async function readAtMost(response: Response, maximumBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the download.
    if (size > maximumBytes) throw new ConnectionFailure('refused', 'The reply is too large to be shown.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** `net.fetch` can't hand out the reply that redirects: all that it does is to say that there was one. */
const isRedirect = (error: unknown) => /redirect/i.test(reason(error));

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

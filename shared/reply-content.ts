/** Reads replies within limits. */
import { ConnectionFailure, type OutgoingRequest, usualTimeoutMs } from './connection.ts';
import { readJson } from './read-json.ts';

/** @throws ConnectionFailure `refused` if there is more, which isn't downloaded */
export async function readAtMost(response: Response, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the download.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new ConnectionFailure('refused', /*i18n*/ 'Response too large to show.');
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * Parses JSON; undefined if invalid, because readers check the schema anyway. Lone surrogates, which only `\\u` escapes can
 * express, become U+FFFD.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder().decode(bytes);
    return readJson(/\\ud/i.test(text) ? wellFormed(text) : text);
  } catch {
    return undefined;
  }
}

/** Replaces lone surrogates in the text: checking each value of a large reply would take seconds. */
const wellFormed = (text: string): string =>
  text.replace(spelled, (spelling: string, half: string | undefined) =>
    half === undefined ? spelling : '\\ufffd',
  );

/** An escape: a surrogate pair, a lone surrogate, or any other. */
const spelled = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|.)/gi;

/** Returns the failure of a timeout. A change may have succeeded. */
export function timedOut({ method, timeoutMs = usualTimeoutMs }: OutgoingRequest): ConnectionFailure {
  return new ConnectionFailure(
    'timeout',
    method === 'GET'
      ? /*i18n*/ 'No response in {seconds} s. The server may be starting or busy.'
      : /*i18n*/ 'No response in {seconds} s. The request may have succeeded. Check before retrying.',
    { seconds: timeoutMs / 1000 },
  );
}

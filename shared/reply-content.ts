/** A reply's content on its way in: never more than was bargained for. */
import { ConnectionFailure, type OutgoingRequest, usualTimeoutMs } from './connection.ts';
import { readJson } from './read-json.ts';

/** @throws ConnectionFailure `refused` where there is more; the rest is then not downloaded */
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
 * The JSON that these bytes are; undefined where they are none: whoever reads the reply checks its shape. Halves of
 * characters, which `\\u` can spell and no address, file or request can hold, become U+FFFD.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder().decode(bytes);
    return readJson(/\\ud/i.test(text) ? wellFormed(text) : text);
  } catch {
    return undefined;
  }
}

/** In the text, where they are spelled: to look at each value of a large reply afterwards takes many seconds. */
const wellFormed = (text: string): string =>
  text.replace(spelled, (spelling: string, half: string | undefined) =>
    half === undefined ? spelling : '\\ufffd',
  );

/** An escape: a whole character of two halves, a half of one, or any other. */
const spelled = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|.)/gi;

/** No reply within its time. What was to be changed may have been changed all the same. */
export function timedOut({ method, timeoutMs = usualTimeoutMs }: OutgoingRequest): ConnectionFailure {
  return new ConnectionFailure(
    'timeout',
    method === 'GET'
      ? /*i18n*/ 'No response in {seconds} s. The server may be starting or busy. Retry.'
      : /*i18n*/ 'No response in {seconds} s. The request may have succeeded. Check before retrying.',
    { seconds: timeoutMs / 1000 },
  );
}

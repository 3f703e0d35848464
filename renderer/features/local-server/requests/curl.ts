/** A request that the inspector kept, as a command for a shell. */

import { readJson } from '../../../../shared/read-json.ts';
import { type InspectedRequest, REDACTED } from '../../../../shared/workbench/inspector.ts';

/** What curl says by itself, or what belongs to one connection and not to the request. */
const ownHeaders =
  /^(host|connection|content-length|accept-encoding|user-agent|origin|referer|sec-.*|cookie|transfer-encoding|pragma|cache-control|accept-language|priority|dnt)$/;

/**
 * The command, for a POSIX shell, with `$TOKEN` where the access token was struck out. Whatever the request holds is
 * one argument of curl's and can neither end it nor be run; what does not show in a terminal is written as an escape.
 * A body that was not kept whole is taken from a file. Undefined where no shell can pass it: an argument can't hold a null byte.
 */
export function asCurl(baseUrl: string, { method, path, request }: InspectedRequest): string | undefined {
  const { headers, body, cut } = request;
  if ([path, body ?? '', ...headers.flat()].some((text) => text.includes('\0'))) return undefined;
  const parts = ['curl', '--globoff'];
  // It would wait for the body that the length of the reply speaks of.
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('--request', quoted(method));
  if (/\/(?:\.|%2e)/i.test(path)) parts.push('--path-as-is');
  parts.push(quoted(baseUrl + path));
  for (const [name, value] of headers) {
    if (ownHeaders.test(name)) continue;
    // Without a value, a colon would mean that it is to be left out.
    const header = quoted(value === '' ? `${name};` : `${name}: ${value}`);
    parts.push('--header', name === 'authorization' ? tokenHeader : header);
  }
  if (body === null || body === '') return parts.join(' ');
  // By itself it would say that it is a form.
  if (!headers.some(([name]) => name === 'content-type')) parts.push('--header', quoted('content-type:'));
  if (cut) parts.push('--data-binary', `@${bodyFile}`);
  else parts.push('--data-raw', quoted(body));
  return parts.join(' ');
}

/** What the command takes a body from that was not kept whole. */
export const bodyFile = 'body';

const tokenHeader = '"Authorization: Bearer $TOKEN"';

/** Whether the request can be made again as it was: what was struck out or cut is not known any more. */
export const isWhole = ({ path, request }: InspectedRequest) =>
  !request.cut && !path.includes(REDACTED) && !request.body?.includes(REDACTED);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

/** What means something to `printf %b`, to the quotes around it, or to an interactive shell inside of them. */
const special = /['"`$!\\]/;

function quoted(text: string): string {
  if (!hidden.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  // A shell takes line ends off the end of what a command prints: these stand as they are, and harm no terminal.
  const shown = text.replace(/\n+$/, '');
  const lineEnds = text.slice(shown.length);
  if (lineEnds !== '') return `${quoted(shown)}'${lineEnds}'`;
  const escaped = Array.from(text, (character) => {
    if (character === '\n') return '\\n';
    if (!hidden.test(character) && !special.test(character)) return character;
    // Byte by byte, so that it means the same in each language of a shell's.
    return Array.from(
      new TextEncoder().encode(character),
      (byte) => `\\0${byte.toString(8).padStart(3, '0')}`,
    ).join('');
  });
  // Not `$'…'`: where a shell does not know it, such as Debian's sh, a quote in the text would end it.
  return `"$(printf %b '${escaped.join('')}')"`;
}

/** The JSON object or list that a body is, or undefined where it is none. */
export function parsedBody(body: string): object | undefined {
  try {
    const value: unknown = readJson(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

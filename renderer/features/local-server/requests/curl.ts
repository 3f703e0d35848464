import { readJson } from '../../../../shared/read-json.ts';
import { type InspectedRequest, REDACTED } from '../../../../shared/workbench/inspector.ts';

/** Headers that curl sets, or that belong to the connection. */
const omittedHeaders =
  /^(host|connection|content-length|accept-encoding|user-agent|origin|referer|sec-.*|cookie|transfer-encoding|pragma|cache-control|accept-language|priority|dnt)$/;

/**
 * Returns a curl command for a POSIX shell, with `$TOKEN` for the redacted access token. Request content is hostile: it is
 * quoted so that it can't end an argument or run, and invisible characters are escaped. A truncated body is read from
 * `bodyFile`. Returns undefined for null bytes, which no argument can contain.
 */
export function curlCommand(
  baseUrl: string,
  { method, path, request }: InspectedRequest,
): string | undefined {
  const { headers, body, cut } = request;
  if ([path, body ?? '', ...headers.flat()].some((text) => text.includes('\0'))) return undefined;
  const parts = ['curl', '--globoff'];
  // `--request HEAD` would wait for a body of the response's length.
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('--request', quoted(method));
  if (/\/(?:\.|%2e)/i.test(path)) parts.push('--path-as-is');
  parts.push(quoted(baseUrl + path));
  for (const [name, value] of headers) {
    if (omittedHeaders.test(name)) continue;
    // curl removes a header that ends with a colon; a semicolon sends it empty.
    const header = quoted(value === '' ? `${name};` : `${name}: ${value}`);
    parts.push('--header', name === 'authorization' ? tokenHeader : header);
  }
  if (body === null || body === '') return parts.join(' ');
  // Otherwise curl sends a form content type.
  if (!headers.some(([name]) => name === 'content-type')) parts.push('--header', quoted('content-type:'));
  if (cut) parts.push('--data-binary', `@${bodyFile}`);
  else parts.push('--data-raw', quoted(body));
  return parts.join(' ');
}

/** The file that the command reads a truncated body from. */
export const bodyFile = 'body';

const tokenHeader = '"Authorization: Bearer $TOKEN"';

/** False if the body was truncated, or secrets were redacted. */
export const isComplete = ({ path, request }: InspectedRequest) =>
  !request.cut && !path.includes(REDACTED) && !request.body?.includes(REDACTED);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not reach a terminal
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

/** Special to `printf %b`, the quotes around it, or an interactive shell within them. */
const special = /['"`$!\\]/;

function quoted(text: string): string {
  if (!invisible.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  // Command substitution strips trailing line feeds, so they stay literal.
  const stripped = text.replace(/\n+$/, '');
  const lineFeeds = text.slice(stripped.length);
  if (lineFeeds !== '') return `${quoted(stripped)}'${lineFeeds}'`;
  const escaped = Array.from(text, (character) => {
    if (character === '\n') return '\\n';
    if (!invisible.test(character) && !special.test(character)) return character;
    // As bytes, independent of the shell's locale.
    return Array.from(
      new TextEncoder().encode(character),
      (byte) => `\\0${byte.toString(8).padStart(3, '0')}`,
    ).join('');
  });
  // Not `$'…'`: in shells without it, such as dash, a quote in the text would end the argument.
  return `"$(printf %b '${escaped.join('')}')"`;
}

/** Returns the JSON object or array in a body, or undefined. */
export function parseBody(body: string): object | undefined {
  try {
    const value: unknown = readJson(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

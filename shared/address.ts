/** Server addresses as users type them. */
import { ConnectionFailure } from './connection.ts';

/**
 * Returns the base URL of a typed address, such as `example.org`, `localhost:8008` or `https://example.org/`. Defaults to
 * https, except on this computer.
 *
 * @throws ConnectionFailure `bad_address`
 */
export function parseAddress(typed: string): string {
  const text = typed.trim();
  const scheme = schemeOf(text);
  const withScheme = scheme ? text : `${isLoopback(text) ? 'http' : 'https'}://${text}`;
  const url = scheme && !/^https?$/.test(scheme) ? null : URL.parse(withScheme);
  // URL parsers read a bare number as an IPv4 address.
  if (
    !url ||
    !isHost.test(url.hostname) ||
    url.hostname.length > longestHost ||
    /^\d+(:\d+)?(\/|$)/.test(text) ||
    url.username ||
    url.password ||
    url.search ||
    url.hash
  ) {
    throw new ConnectionFailure(
      'bad_address',
      /*i18n*/ 'Invalid server address. Use https://example.org or localhost:8008.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Returns the typed scheme, in lower case. */
export const schemeOf = (typed: string) => /^([a-z][a-z\d+.-]*):\/\//i.exec(typed.trim())?.[1]?.toLowerCase();

/** Maximum length of a host name: questions show it in full. */
export const longestHost = 253;

const isHost = /^(\[[\da-f:.]+\]|[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*\.?)$/i;

const isLoopback = (address: string) => /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(address);

/** The address of a server as a person writes it. */
import { ConnectionFailure } from './connection.ts';

/**
 * The base address of what a person typed: `example.org`, `localhost:8008`, `https://example.org/`.
 * Without a scheme it is https, except on this machine.
 *
 * @throws ConnectionFailure `bad_address`
 */
export function parseAddress(typed: string): string {
  const text = typed.trim();
  const scheme = schemeOf(text);
  const withScheme = scheme ? text : `${isLoopback(text) ? 'http' : 'https'}://${text}`;
  const url = scheme && !/^https?$/.test(scheme) ? null : URL.parse(withScheme);
  // A bare number would be read as an address of the internet's, in a notation that nobody means.
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

/** The scheme that somebody wrote, in small letters. */
export const schemeOf = (typed: string) => /^([a-z][a-z\d+.-]*):\/\//i.exec(typed.trim())?.[1]?.toLowerCase();

/** Of the names of the internet, which have to be readable as a whole where a person is asked about one. */
export const longestHost = 253;

const isHost = /^(\[[\da-f:.]+\]|[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*\.?)$/i;

const isLoopback = (address: string) => /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(address);

import { ConnectionFailure, type Send, silenceOf } from './connection.ts';

const mostRedirects = 5;

/**
 * Returns the client configuration that an origin publishes (`/.well-known/matrix/client`), or undefined if there is
 * none. Follows redirects that the sender doesn't follow itself.
 */
export async function readWellKnown(send: Send, origin: string): Promise<unknown> {
  let url = `${origin}/.well-known/matrix/client`;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const reply = await send({ method: 'GET', url, reportsRedirect: true }).catch(silenceOf);
    if (reply instanceof ConnectionFailure) return undefined;
    const { location } = reply;
    if (location === undefined) return reply.body;
    // A public page must not point at this computer, and the configuration must not be changed in transit.
    if (!location.startsWith('https:') && !(isLocal(location) && isLocal(url))) return undefined;
    url = location;
  }
  return undefined;
}

const isLocal = (url: string) => /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/.test(url);

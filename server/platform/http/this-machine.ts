/** Detects requests from programs on the server's own computer. */
import type { IncomingMessage } from 'node:http';
import type { Listener } from '../config/listeners.ts';

/** Headers of proxies, which forward requests from elsewhere. */
const proxied =
  /^(x-forwarded.*|x-original-.*|x-envoy-.*|cf-.*|forwarded|via|cdn-loop)$|(client|connecting|real|remote|user|originating)-?(ip|addr)/;
/** Addresses only: any page can have a name that resolves to this computer (DNS rebinding). */
const loopbackHost = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether both ends of the connection and the Host header are loopback, the request isn't cross-site, and no header is a
 * proxy's. Reads the raw headers, because listeners without a proxy remove forwarding headers.
 */
export function isFromThisMachine({ socket, rawHeaders }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress) || !isLoopback(socket.localAddress)) return false;
  let hasHost = false;
  let isCrossSite = false;
  let hasOwnOrigin = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (proxied.test(name)) return false;
    if (name === 'host') {
      if (!loopbackHost.test(value)) return false;
      hasHost = true;
    } else if (name === 'origin') {
      if (!isLoopbackOrigin(value)) return false;
      hasOwnOrigin = true;
    } else if (name === 'sec-fetch-site') isCrossSite = value === 'cross-site';
  }
  // Browsers treat `localhost` and 127.0.0.1 as two sites.
  return hasHost && (hasOwnOrigin || !isCrossSite);
}

const isLoopback = (address = '') => address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

function isLoopbackOrigin(origin: string): boolean {
  const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
  return loopbackHost.test(host);
}

/** Whether only this computer reaches the listeners, and no proxy is configured. */
export const listensHereOnly = (listeners: readonly Listener[]): boolean =>
  listeners.every(
    ({ bindAddresses, trustsProxy }) =>
      !trustsProxy && bindAddresses.every((address) => address === 'localhost' || isLoopback(address)),
  );

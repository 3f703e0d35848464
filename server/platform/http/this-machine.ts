/** Whether a request was sent at the machine that the server runs on, by what runs there. */
import type { IncomingMessage } from 'node:http';
import type { Listener } from '../config/listeners.ts';

/** What proxies add: on this machine, they speak for someone elsewhere. */
const proxied =
  /^(x-forwarded.*|x-original-.*|x-envoy-.*|cf-.*|forwarded|via|cdn-loop)$|(client|connecting|real|remote|user|originating)-?(ip|addr)/;
/** Names lead anywhere, and a page of anyone can have one that leads here. */
const loopbackHost = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Both ends of the connection are loopback addresses, it is asked for by such an address, no page of another machine's
 * asks, and nothing says that a proxy stands in between. It looks at headers as they came: those that say who calls are
 * forgotten where no proxy is expected.
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
  // To a browser, this machine's name and its address are two sites.
  return hasHost && (hasOwnOrigin || !isCrossSite);
}

const isLoopback = (address = '') => address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

function isLoopbackOrigin(origin: string): boolean {
  const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
  return loopbackHost.test(host);
}

/** Whether nobody but this machine reaches these listeners, not even through a proxy that says so. */
export const listensHereOnly = (listeners: readonly Listener[]): boolean =>
  listeners.every(
    ({ bindAddresses, trustsProxy }) =>
      !trustsProxy && bindAddresses.every((address) => address === 'localhost' || isLoopback(address)),
  );

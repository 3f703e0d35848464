/** Whether a request was sent at the machine that the server runs on. */
import type { IncomingMessage } from 'node:http';

/** What a proxy adds: on this machine, it speaks for someone elsewhere. */
const proxied = /^(x-forwarded-.*|x-real-ip|forwarded|via)$/i;

/**
 * Both ends of the connection are loopback addresses, and nothing says that a proxy is at one of them. It looks at
 * headers as they came: those that say who calls are forgotten where no proxy is expected.
 */
export function isFromThisMachine({ socket, rawHeaders }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    isLoopback(socket.localAddress) &&
    !rawHeaders.some((name, index) => index % 2 === 0 && proxied.test(name))
  );
}

const isLoopback = (address = '') => address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

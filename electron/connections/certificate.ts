/** When the certificate of a connected server ends, which no page can see. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const patienceMs = 5_000;

/**
 * Shakes hands with the server and reads its certificate; nothing else is sent. It goes there without a proxy:
 * where one is needed, nothing can be seen.
 *
 * @returns milliseconds since the Unix epoch; undefined without encryption, or where nothing can be seen
 */
export function certificateEnd(baseUrl: string): Promise<number | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(!isIP(host) && { servername: host }),
      // One that has ended is just what is looked for. Requests go another way, which trusts none such.
      rejectUnauthorized: false,
    });
    const settle = (end?: number) => {
      socket.destroy();
      resolve(end);
    };
    socket.setTimeout(patienceMs, () => settle());
    socket.once('error', () => settle());
    socket.once('secureConnect', () => settle(socket.getPeerX509Certificate()?.validToDate.getTime()));
  });
}

/** Reads when a server's certificate expires, which pages can't see. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const patienceMs = 5_000;

/**
 * Opens a TLS connection to read the server's certificate and sends nothing else. It doesn't use a proxy: behind one,
 * the expiry is unknown.
 *
 * @returns milliseconds since the Unix epoch; undefined without TLS or a direct connection
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
      // Expired certificates are accepted here to report them. Requests use another connection, which rejects them.
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

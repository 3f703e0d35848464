import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawConnection = {
  socket: Socket;
  /** Sends text unchanged. Resolves when the operating system has taken it. */
  write(text: string): Promise<void>;
  /** All received data, after the other side closes the connection. */
  closed: Promise<string>;
  /** Returns the data received so far. */
  received(): string;
};

/** Opens a connection that sends only the test's own text. */
export async function connectTo(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A reset also closes the connection.
  socket.on('error', () => {});
  const received = () => Buffer.concat(chunks).toString();
  return {
    socket,
    write: (text) => new Promise((resolve) => socket.write(text, () => resolve())),
    closed: new Promise((resolve) => socket.once('close', () => resolve(received()))),
    received,
  };
}

type RawReply = { status: number; headers: string; body: string };

/** Parses a raw reply. */
export function parseReply(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  return { status: Number(status), headers: head.toLowerCase(), body: rest.join('\r\n\r\n') };
}

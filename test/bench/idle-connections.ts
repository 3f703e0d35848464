import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections opened in parallel, limited by the kernel's accept backlog. */
const atOnce = 100;

/** Opens connections that send one request and then stay idle. Returns a function that closes them. */
export async function holdIdleConnections(url: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write('GET /_chat/client/versions HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
  };
  while (sockets.length < count) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - sockets.length) }, open));
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

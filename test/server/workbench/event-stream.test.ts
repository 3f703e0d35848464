import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { type EventStream, openEventStream } from '../../../server/administration/workbench/event-stream.ts';
import { systemClock } from '../../../server/platform/core/clock.ts';

test('a client that reads nothing is disconnected', async () => {
  const stopping = new AbortController();
  const { promise: opened, resolve: open } = Promise.withResolvers<EventStream>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const server = createServer((incoming, raw) => {
    const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply;
    const request = { raw: incoming, identifyAgain: async () => {} } as unknown as FastifyRequest;
    open(openEventStream(request, reply, { clock: systemClock, stopping }, end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const stream = await opened;
  // The operating system buffers some megabytes too.
  for (let sent = 0; sent < 64 && stream.isOpen; sent++) {
    stream.send('log', sent, 'x'.repeat(1024 * 1024));
    await new Promise(setImmediate);
  }
  await ended;
  expect(stream.isOpen).toBe(false);
  socket.destroy();
  server.close();
});

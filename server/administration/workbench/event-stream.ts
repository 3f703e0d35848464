/** Server-sent events. */
import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/core/clock.ts';
import { whenClosed } from '../../platform/http/send-json.ts';

/**
 * Interval of comments, which keep proxies from closing an idle connection, and of checks of the session, in
 * milliseconds.
 */
const heartbeat = 15_000;
/** Unread bytes at which a client is disconnected. */
const maxBuffered = 4 * 1024 * 1024;

export type EventStream = {
  /** @param id sent back as `Last-Event-ID` when the client reconnects */
  send(event: string, id: number, data: unknown): void;
  /** Resolves when the client has read most of the data, or is gone. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
};

/**
 * Replies with a stream of events. It ends when the client disconnects, doesn't read or loses access, or the server stops.
 *
 * @param whenOver called once, at the end
 */
export function openEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { clock, stopping }: { clock: Clock; stopping: AbortController },
  whenOver: () => void,
): EventStream {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': begins\n\n');
  let isOpen = true;
  let cancel = () => {};

  const over = new AbortController();
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    over.abort();
    cancel();
    stopping.signal.removeEventListener('abort', end);
    raw.end();
    whenOver();
  };
  const write = (text: string) => {
    if (!isOpen) return;
    if (raw.writableLength > maxBuffered) raw.destroy();
    else raw.write(text);
  };
  const beat = () => {
    write(': still here\n\n');
    cancel = clock.after(heartbeat, beat);
    request.identifyAgain().catch(end);
  };
  cancel = clock.after(heartbeat, beat);
  request.raw.socket.once('close', end);
  stopping.signal.addEventListener('abort', end);
  whenClosed(raw, end);
  if (stopping.signal.aborted) end();

  return {
    get isOpen() {
      return isOpen;
    },
    async drained() {
      if (!isOpen || !raw.writableNeedDrain) return;
      await once(raw, 'drain', { signal: over.signal }).catch((error: Error) => {
        if (isOpen) throw error;
      });
    },
    send(event, id, data) {
      write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
    },
  };
}

/** Returns the last event that a reconnecting client has received. */
export function lastEventId({ headers }: FastifyRequest): number | undefined {
  const { 'last-event-id': id } = headers;
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

/** Server-sent events: what happens, as it happens, in a reply that doesn't end. */
import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/core/clock.ts';
import { whenClosed } from '../../platform/http/send-json.ts';

/**
 * How often something is sent, in milliseconds, as what stands between would take a silent one for dead; and how long
 * one who may not listen any more still does.
 */
const heartbeat = 15_000;
/** A listener for whom more waits, in bytes, doesn't read any more. */
const mostWaiting = 4 * 1024 * 1024;

export type EventStream = {
  /** @param id what the listener names when it comes back */
  send(event: string, id: number, data: unknown): void;
  /** Resolves when the listener has taken most of what was sent, or has gone. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
};

/** What was sent last: it goes to all listeners, one after the other. */
let written: { data: unknown; json: string } = { data: undefined, json: '' };

/**
 * Makes a reply of events. It ends when its listener goes, doesn't read or may not listen any more, or the server stops.
 *
 * @param whenOver called once, at its end
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
    if (raw.writableLength > mostWaiting) raw.destroy();
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
      const json = written.data === data ? written.json : JSON.stringify(data);
      written = { data, json };
      write(`event: ${event}\nid: ${id}\ndata: ${json}\n\n`);
    },
  };
}

/** The last event that a listener has seen, where it comes back. */
export function lastEventId({ headers }: FastifyRequest): number | undefined {
  const { 'last-event-id': id } = headers;
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

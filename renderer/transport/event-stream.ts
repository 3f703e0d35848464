import { createParser } from 'eventsource-parser';
import { type Connection, ConnectionFailure } from '../../shared/connection.ts';
import { requestUrl } from '../../shared/outgoing-request.ts';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';
import type { EventStream } from './host.ts';
import { refusalOf } from './refusal.ts';
import type { Authorized } from './token-refresh.ts';

const maxErrorBytes = 100_000;

/** `EventSource` can't send an Authorization header. */
export async function followFromPage(
  authorized: Authorized,
  connection: Connection,
  path: string,
  { onOpen, onEvents, signal }: EventStream,
): Promise<void> {
  try {
    const response = await authorized(connection.id, ({ accessToken }) =>
      fetch(requestUrl(connection, path), {
        headers: { authorization: `Bearer ${accessToken}`, accept: 'text/event-stream' },
        signal,
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        redirect: 'error',
      }),
    );
    if (!response.ok || !response.body) {
      const body = parseJson(await readAtMost(response, maxErrorBytes));
      throw refusalOf({ status: response.status, body }, connection);
    }
    onOpen();
    let received: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => received.push(data) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.feed(read.value);
      if (received.length > 0) onEvents(received);
      received = [];
    }
  } catch (error) {
    if (signal.aborted || error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure(
      'unreachable',
      /*i18n*/ "Can't reach {origin}. Check the address, the server and your network.",
      { origin: new URL(connection.baseUrl).origin },
    );
  }
}

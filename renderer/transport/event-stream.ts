import { createParser } from 'eventsource-parser';
import { type Connection, ConnectionFailure } from '../../shared/connection.ts';
import { requestUrl } from '../../shared/outgoing-request.ts';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';
import type { EventStream } from './host.ts';
import { refusalOf } from './refusal.ts';
import type { Authorized } from './token-refresh.ts';

const mostErrorBytes = 100_000;

/** No URL can carry the session, so there is no `EventSource`. */
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
      const body = parseJson(await readAtMost(response, mostErrorBytes));
      throw refusalOf({ status: response.status, body }, connection);
    }
    onOpen();
    let came: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => came.push(data) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.feed(read.value);
      if (came.length > 0) onEvents(came);
      came = [];
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

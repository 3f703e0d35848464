/** Events that a server sends as they happen. Loaded only by what follows some. */
import { createParser } from 'eventsource-parser';
import type { Bridge } from '../../shared/bridge.ts';
import { type Connection, ConnectionFailure } from '../../shared/connection.ts';
import { requestUrl } from '../../shared/outgoing-request.ts';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';
import { invokerOf } from './invoke.ts';
import { refusalOf } from './refusal.ts';
import { authorized } from './token-refresh.ts';

export type Followed = {
  connection: Connection;
  /** With its query. */
  path: string;
  /** The server has begun to answer. */
  onOpen: () => void;
  /** What came at once: the data of one event or more, in their order. */
  onEvents: (data: readonly string[]) => void;
  signal: AbortSignal;
};

const mostErrorBytes = 100_000;

/**
 * Follows a path until the signal is aborted, or the server ends it. No address can carry the session, and so no
 * `EventSource`: in a browser the page reads it by itself, in the desktop app the main process does.
 *
 * @throws ConnectionFailure where it can't begin, or breaks off
 */
export const followEvents = (followed: Followed): Promise<void> =>
  window.gatehouse ? followOverBridge(window.gatehouse, followed) : followFromPage(followed);

async function followFromPage({ connection, path, onOpen, onEvents, signal }: Followed): Promise<void> {
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

async function followOverBridge(bridge: Bridge, followed: Followed): Promise<void> {
  const { connection, path, onOpen, onEvents, signal } = followed;
  const streamId = crypto.randomUUID();
  const stopListening = bridge.listen('workbench:events', (notice) => {
    if (notice.streamId !== streamId) return;
    if (notice.data.length === 0) onOpen();
    else onEvents(notice.data);
  });
  const stop = () => void bridge.invoke('workbench:unfollow', { streamId });
  signal.addEventListener('abort', stop);
  try {
    await invokerOf(bridge)('workbench:follow', { connectionId: connection.id, path, streamId });
  } finally {
    signal.removeEventListener('abort', stop);
    stopListening();
  }
}

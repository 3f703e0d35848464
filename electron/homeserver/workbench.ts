/** Developer tools for servers on this computer that need more than a request and its reply. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dialog } from 'electron';
import { createParser } from 'eventsource-parser';
import type { BridgeReply, NoticePayload } from '../../shared/bridge.ts';
import { type Connection, ConnectionFailure, failureOf, type Send } from '../../shared/connection.ts';
import { requestUrl } from '../../shared/outgoing-request.ts';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';
import { loginRequest } from '../../shared/try-login.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import type { Connections } from '../connections/connections.ts';
import { fetchFromServer } from '../connections/send.ts';
import { askForPage } from '../window/page-questions.ts';

type Options = {
  connections: Pick<Connections, 'session'>;
  send: Send;
  notify: (events: NoticePayload<'workbench:events'>) => void;
};

const mostErrorBytes = 100_000;
const mostFollowed = 20;

/** All functions throw ConnectionFailure. */
export function createWorkbench({ connections, send, notify }: Options) {
  const followed = new Map<string, AbortController>();

  async function open(
    connectionId: string,
    path: string,
    init: { method: 'GET' | 'POST'; accept: string; signal?: AbortSignal },
  ) {
    const { connection, accessToken } = await connections.session(connectionId);
    requireLocal(connection);
    const { method, accept, signal } = init;
    const response = await fetchFromServer(requestUrl(connection, path), {
      method,
      headers: { authorization: `Bearer ${accessToken}`, accept, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
      ...(signal && { signal }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    }).catch(() => undefined);
    if (!response) throw brokenOff();
    if (response.ok && response.body) return response.body;
    throw failureOf({
      status: response.status,
      body: parseJson(await readAtMost(response, mostErrorBytes)),
    });
  }

  return {
    /** Resolves when the server ends the stream or no one follows it. */
    async follow({ connectionId, path, streamId }: { connectionId: string; path: string; streamId: string }) {
      // The page that started it can't end it anymore.
      if (followed.has(streamId) || followed.size >= mostFollowed) {
        throw new ConnectionFailure(
          'refused',
          /*i18n*/ 'Already open, or too many live views. Close another developer tools screen first.',
        );
      }
      const end = new AbortController();
      followed.set(streamId, end);
      try {
        const body = await open(connectionId, path, {
          method: 'GET',
          accept: 'text/event-stream',
          signal: end.signal,
        });
        notify({ streamId, data: [] });
        let came: string[] = [];
        const parser = createParser({ onEvent: ({ data }) => came.push(data) });
        const decoder = new TextDecoder();
        for await (const chunk of body) {
          parser.feed(decoder.decode(chunk, { stream: true }));
          if (came.length > 0) notify({ streamId, data: came });
          came = [];
        }
      } catch (error) {
        if (end.signal.aborted) return;
        throw error instanceof ConnectionFailure ? error : brokenOff();
      } finally {
        followed.delete(streamId);
      }
    },

    unfollow: ({ streamId }: { streamId: string }): void => followed.get(streamId)?.abort(),

    /** A reloaded page follows nothing yet. */
    unfollowAll(): void {
      for (const end of followed.values()) end.abort();
    },

    /** The unfiltered reply: a session in it belongs to the tester, like the token. */
    async tryLogin({ connectionId, token }: { connectionId: string; token: string }): Promise<BridgeReply> {
      const { connection } = await connections.session(connectionId);
      requireLocal(connection);
      const { status, body } = await send(loginRequest(connection, token));
      return { status, body };
    },

    async backup({ connectionId, name }: { connectionId: string; name: string }) {
      let filePath = '';
      await askForPage(async () => {
        ({ filePath } = await dialog.showSaveDialog({ defaultPath: name }));
        return filePath !== '';
      });
      if (!filePath) return { saved: false, bytes: 0 };
      const partial = `${filePath}.partial`;
      let bytes = 0;
      try {
        const body = await open(connectionId, workbenchPaths.backup, { method: 'POST', accept: '*/*' });
        const counted = async function* () {
          for await (const chunk of body) {
            bytes += chunk.byteLength;
            yield chunk;
          }
        };
        // It contains all secrets of the server.
        await pipeline(Readable.from(counted()), createWriteStream(partial, { mode: 0o600 }));
        await rename(partial, filePath);
      } catch (error) {
        await rm(partial, { force: true });
        throw error instanceof ConnectionFailure ? error : backupFailed(error);
      }
      return { saved: true, bytes };
    },
  };
}

function requireLocal({ local }: Connection): void {
  if (!local) throw new ConnectionFailure('refused', /*i18n*/ 'Only available for the local server');
}

const brokenOff = () =>
  new ConnectionFailure(
    'unreachable',
    /*i18n*/ "The local server isn't running. Choose “Start or restart” in the “Local server” menu.",
  );

const backupFailed = (error: unknown) =>
  new ConnectionFailure('refused', /*i18n*/ "Couldn't create the backup: {reason}", {
    reason: error instanceof Error ? error.message : String(error),
  });

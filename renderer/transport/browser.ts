import type { ActingSessions } from '../../shared/acting-sessions.ts';
import {
  type Connection,
  ConnectionFailure,
  type Credentials,
  expectReply,
  type Send,
} from '../../shared/connection.ts';
import { connectionId } from '../../shared/connection-id.ts';
import { dialects } from '../../shared/dialect.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { readAtMost } from '../../shared/reply-content.ts';
import { fetchFromPage, sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { type Session, sessionStore } from './sessions.ts';

/** No picture is shown before someone clicks. */
const mediaPolicy = () => import('../../shared/media-policy.ts');

const send: Send = (request, signal) => sendFromPage(request, { ...(signal && { signal }) });

/** The host in a browser: requests leave the page itself, sessions live as long as the tab. */
export function browserHost(storage: Storage): ConsoleHost {
  const sessions = sessionStore(storage);

  function session(connectionId: string): Session {
    const found = sessions.find(connectionId);
    if (!found) {
      throw new ConnectionFailure(
        'no_such_connection',
        /*i18n*/ 'You are not signed in to this server. Sign in again.',
      );
    }
    return found;
  }

  let loading: Promise<ActingSessions> | undefined;
  function acting(): Promise<ActingSessions> {
    loading ??= import('../../shared/acting-sessions.ts').then(({ actingSessions }) =>
      actingSessions({ session, send, copy: copyFromPage, now: Date.now }),
    );
    return loading;
  }

  return {
    listConnections: async () => sessions.all().map(({ connection }) => connection),

    connect: (address, credentials) => openSession(sessions.save, address, credentials),

    disconnect: async (connectionId) => {
      const { connection, accessToken } = session(connectionId);
      sessions.remove(connectionId);
      const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/client/v3/logout`;
      await send({ method: 'POST', url, accessToken, body: {} });
    },

    request: async (connectionId, request, options) =>
      sendFromPage(outgoingRequest(session(connectionId), request), options),

    media: async (connectionId, wanted) => {
      const { connection, accessToken } = session(connectionId);
      const { firstThatHas, imageType, mediaUrls, mostImageBytes } = await mediaPolicy();
      const reply = await firstThatHas(mediaUrls(connection, wanted), (url) =>
        fetchFromPage({ method: 'GET', url, accessToken }, async (response) => ({
          status: response.status,
          bytes: await readAtMost(response, mostImageBytes),
        })),
      );
      return new Blob([reply.bytes], { type: imageType(reply) });
    },

    upload: async (connectionId, picture) => {
      const { Uploaded, uploadRequest } = await mediaPolicy();
      const bytes = new Uint8Array(await picture.arrayBuffer());
      return expectReply(Uploaded, await send(uploadRequest(session(connectionId), bytes))).content_uri;
    },

    acting: {
      isOffered: async (...given) => (await acting()).isOffered(...given),
      begin: async (...given) => (await acting()).begin(...given),
      copyToken: async (...given) => (await acting()).copyToken(...given),
      end: async (...given) => (await acting()).end(...given),
    },

    openExternal: async (url) => {
      if (URL.parse(url)?.protocol !== 'https:') return;
      window.open(url, '_blank', 'noopener,noreferrer');
    },
  };
}

/** Browsers give pages their clipboard over https and on this machine only. */
async function copyFromPage(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'The browser does not let the console use the clipboard. Open the console over https.',
    );
  }
}

/** Trades a one-time link's token for a session on the server that served this page. */
export const connectWithLoginToken = (storage: Storage, token: string): Promise<Connection> =>
  openSession(sessionStore(storage).save, location.origin, { type: 'login_token', token });

async function openSession(
  save: (session: Session) => void,
  address: string,
  credentials: Credentials,
): Promise<Connection> {
  // Most who open the page are signed in already.
  const [{ discover }, { signIn }] = await Promise.all([
    import('../../shared/discover.ts'),
    import('../../shared/sign-in.ts'),
  ]);
  const server = await discover(send, address);
  const { accessToken, userId } = await signIn(send, server, credentials);
  const connection: Connection = {
    id: connectionId(userId, server.baseUrl),
    baseUrl: server.baseUrl,
    dialect: server.dialect.name,
    userId,
    local: false,
  };
  save({ connection, accessToken });
  return connection;
}

import type { ActingSessions } from '../../shared/acting-sessions.ts';
import { parseAddress } from '../../shared/address.ts';
import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type Send,
  type TypedCredentials,
} from '../../shared/connection.ts';
import { connectionId } from '../../shared/connection-id.ts';
import { dialects } from '../../shared/dialect.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { readAtMost } from '../../shared/reply-content.ts';
import type { Session } from '../../shared/session.ts';
import { fetchFromPage, sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { sessionStore } from './sessions.ts';

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
        /*i18n*/ 'Not signed in to this server. Sign in again.',
      );
    }
    return found;
  }

  /** Only sessions with an authorization server need the code that renews tokens. */
  async function authorized<Reply extends { status: number }>(
    connectionId: string,
    attempt: (session: Session) => Promise<Reply>,
  ): Promise<Reply> {
    const found = session(connectionId);
    return found.oauth
      ? (await import('./token-refresh.ts')).authorized(connectionId, attempt)
      : attempt(found);
  }

  let loading: Promise<ActingSessions> | undefined;
  function acting(): Promise<ActingSessions> {
    loading ??= import('../../shared/acting-sessions.ts').then(({ actingSessions }) =>
      actingSessions({ authorized, send, copy: copyFromPage, now: Date.now }),
    );
    return loading;
  }

  return {
    listConnections: async () => sessions.all().map(({ connection }) => connection),

    signInMethods: async (address) =>
      (await import('../../shared/browser-sign-in.ts')).findSignInMethods(send, address),

    connect: async (address, credentials, options) => {
      if (credentials.type === 'browser') {
        return (await import('./browser-sign-in.ts')).leaveToSignIn(send, address);
      }
      if (credentials.type === 'code') {
        return (await import('./browser-sign-in.ts')).signInWithCodeFromPage(send, address, options);
      }
      return openSession(sessions.save, address, credentials);
    },

    disconnect: async (connectionId) => {
      const found = session(connectionId);
      const { connection, accessToken, oauth } = found;
      sessions.remove(connectionId);
      if (oauth) return (await import('../../shared/oauth.ts')).revoke(send, found);
      const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/client/v3/logout`;
      await send({ method: 'POST', url, accessToken, body: {} });
    },

    request: async (connectionId, request, options) => {
      const attempt = (session: Session) => sendFromPage(outgoingRequest(session, request), options);
      // Nothing is waited for as the page closes.
      return options?.keepalive ? attempt(session(connectionId)) : authorized(connectionId, attempt);
    },

    media: async (connectionId, wanted) => {
      const { firstThatHas, imageType, mediaUrls, mostImageBytes } = await mediaPolicy();
      const reply = await authorized(connectionId, ({ connection, accessToken }) =>
        firstThatHas(mediaUrls(connection, wanted), (url) =>
          fetchFromPage({ method: 'GET', url, accessToken }, async (response) => ({
            status: response.status,
            bytes: await readAtMost(response, mostImageBytes),
          })),
        ),
      );
      return new Blob([reply.bytes], { type: imageType(reply) });
    },

    upload: async (connectionId, picture) => {
      const { Uploaded, uploadRequest } = await mediaPolicy();
      const bytes = new Uint8Array(await picture.arrayBuffer());
      const reply = await authorized(connectionId, (session) => send(uploadRequest(session, bytes)));
      return expectReply(Uploaded, reply).content_uri;
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
      /*i18n*/ 'Clipboard access requires https. Open the console over https.',
    );
  }
}

/** Trades a one-time link's token for a session on the server that served this page. */
export const connectWithLoginToken = (storage: Storage, token: string): Promise<Connection> =>
  openSession(sessionStore(storage).save, location.origin, { type: 'login_token', token });

/** A browser says the same of silence and of an answer that it keeps from the pages of other origins. */
async function explained(error: Error, address: string): Promise<Error> {
  const isSilence =
    error instanceof ConnectionFailure && error.code === 'unreachable' && error.values.status === undefined;
  if (!isSilence) return error;
  const url = parseAddress(address);
  const answers = await fetch(url, {
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(3_000),
  }).then(
    () => true,
    () => false,
  );
  if (!answers) return error;
  return new ConnectionFailure(
    'unreadable',
    /*i18n*/ "The browser can't read the response from {url}. Check the address and the proxy's Access-Control-Allow-Origin header.",
    { url },
  );
}

async function openSession(
  save: (session: Session) => void,
  address: string,
  credentials: TypedCredentials,
): Promise<Connection> {
  // Most who open the page are signed in already.
  const [{ discover }, { signIn }] = await Promise.all([
    import('../../shared/discover.ts'),
    import('../../shared/sign-in.ts'),
  ]);
  const server = await discover(send, address).catch(async (error) => {
    throw await explained(error, address);
  });
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

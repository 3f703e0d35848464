import { actingSessions } from '../../shared/acting-sessions.ts';
import { ConnectionFailure, expectReply, type Send } from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import {
  firstThatHas,
  imageType,
  mediaUrls,
  mostImageBytes,
  Uploaded,
  uploadRequest,
} from '../../shared/media-policy.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { readAtMost } from '../../shared/reply-content.ts';
import type { Session } from '../../shared/session.ts';
import { fetchFromPage, sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { sessionStore } from './sessions.ts';

/** Only the connect screen needs it. */
const signIn = () => import('./browser-sign-in.ts');

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

  async function authorized<Reply extends { status: number }>(
    connectionId: string,
    attempt: (session: Session) => Promise<Reply>,
  ): Promise<Reply> {
    const found = session(connectionId);
    return found.oauth
      ? (await import('./token-refresh.ts')).authorized(connectionId, attempt)
      : attempt(found);
  }

  const acting = actingSessions({ authorized, send, copy: copyFromPage, now: Date.now });

  return {
    listConnections: async () => sessions.all().map(({ connection }) => connection),

    signInMethods: async (address) => (await signIn()).findSignInMethods(send, address),

    connect: async (address, credentials, options) => {
      const { leaveToSignIn, openSession, signInWithCodeFromPage } = await signIn();
      if (credentials.type === 'browser') return leaveToSignIn(send, address);
      if (credentials.type === 'code') return signInWithCodeFromPage(send, address, options);
      return openSession(sessions.save, send, address, credentials);
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
      const bytes = new Uint8Array(await picture.arrayBuffer());
      const reply = await authorized(connectionId, (session) => send(uploadRequest(session, bytes)));
      return expectReply(Uploaded, reply).content_uri;
    },

    acting,

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

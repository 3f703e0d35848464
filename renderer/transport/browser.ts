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
import type { TokenRefresh } from '../../shared/token-refresh.ts';
import { loginRequest } from '../../shared/try-login.ts';
import { fetchFromPage, sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { pendingSignInKey, sessionStore } from './sessions.ts';
import { sharedSessions } from './shared-sessions.ts';
import type { Authorized } from './token-refresh.ts';

const signIn = () => import('./browser-sign-in.ts');
const backups = () => import('./backup.ts');

const send: Send = (request, signal) => sendFromPage(request, { signal });

/**
 * The host in a browser: the page sends requests itself, and sessions end with the tab.
 *
 * @param storage session storage
 */
export function browserHost(storage: Storage): ConsoleHost {
  const sessions = sessionStore(storage);
  const tabs = sharedSessions(sessions);

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

  let refresh: TokenRefresh | undefined;
  const authorized: Authorized = async (connectionId, attempt) => {
    const found = session(connectionId);
    if (!found.oauth) return attempt(found);
    const { pageTokenRefresh } = await import('./token-refresh.ts');
    refresh ??= pageTokenRefresh(sessions);
    return refresh.authorized(found, attempt);
  };
  const connectionOf = (connectionId: string) => session(connectionId).connection;

  const acting = actingSessions({ authorized, send, copy: copyFromPage, now: Date.now });

  return {
    async enter({ loginToken, response }, onChange) {
      await tabs.join(onChange);
      if (loginToken !== undefined) {
        const { openSession } = await signIn();
        await openSession(sessions.save, send, location.origin, { type: 'login_token', token: loginToken });
      }
      if (response || storage.getItem(pendingSignInKey) !== null) {
        await (await signIn()).finishSignInFromPage(storage, sessions.save, response);
      }
    },

    listConnections: async () => sessions.all().map(({ connection }) => connection),

    signInMethods: async (address) => (await signIn()).findSignInMethods(send, address),

    connect: async (address, credentials, options) => {
      const { leaveToSignIn, openSession, signInWithCodeFromPage } = await signIn();
      if (credentials.type === 'browser') return leaveToSignIn(storage, send, address);
      if (credentials.type === 'code') return signInWithCodeFromPage(sessions.save, send, address, options);
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
      // A closing page can't wait for a token refresh.
      return options?.keepalive ? attempt(session(connectionId)) : authorized(connectionId, attempt);
    },

    media: async (connectionId, media) => {
      const reply = await authorized(connectionId, ({ connection, accessToken }) =>
        firstThatHas(mediaUrls(connection, media), (url) =>
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

    follow: async (connectionId, path, stream) =>
      (await import('./event-stream.ts')).followFromPage(
        authorized,
        connectionOf(connectionId),
        path,
        stream,
      ),

    backup: {
      save: async (connectionId, name, onBytes) =>
        (await backups()).saveBackup(authorized, connectionOf(connectionId), name, onBytes),
      restore: async (connectionId, backup, onBytes) =>
        backup && (await backups()).sendBackup(authorized, connectionOf(connectionId), backup, onBytes),
    },

    tryLogin: (connectionId, token) => sendFromPage(loginRequest(connectionOf(connectionId), token)),

    sendAgain: async (connectionId, { method, path, body }) => {
      const { baseUrl } = connectionOf(connectionId);
      const url = URL.parse(baseUrl + path);
      if (!path.startsWith('/') || url?.origin !== new URL(baseUrl).origin) {
        throw new ConnectionFailure('refused', /*i18n*/ "The console can't send this request.");
      }
      return authorized(connectionId, ({ accessToken }) =>
        sendFromPage({ method, url: url.href, accessToken, ...(body !== undefined && { body }) }),
      );
    },

    openExternal: async (url) => {
      if (URL.parse(url)?.protocol !== 'https:') return;
      window.open(url, '_blank', 'noopener,noreferrer');
    },

    close() {
      tabs.close();
      sessions.close();
    },
  };
}

/** Browsers allow clipboard access only in secure contexts. */
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

/** Sign-in on another page, which leads back to the console's address. */
import { Type } from 'typebox';
import {
  type BrowserSignedIn,
  beginBrowserSignIn,
  finishBrowserSignIn,
  PendingBrowserSignIn,
} from '../../shared/browser-sign-in.ts';
import { type Connection, ConnectionFailure, type Send } from '../../shared/connection.ts';
import { connectionId } from '../../shared/connection-id.ts';
import { fits } from '../../shared/fits.ts';
import { gatehouseUri } from '../../shared/oauth.ts';
import { readJson } from '../../shared/read-json.ts';
import { sendFromPage } from './fetch.ts';
import { screenOf } from './screen-of.ts';
import { sessionStore } from './sessions.ts';

const key = 'gatehouse.sign-in';

/** `next` is the screen to show afterwards. */
const Kept = Type.Object({ pending: PendingBrowserSignIn, next: Type.Optional(Type.String()) });

/**
 * Leaves the console for the server's sign-in page; never resolves.
 *
 * @throws ConnectionFailure where it doesn't get that far
 */
export async function leaveToSignIn(send: Send, address: string): Promise<never> {
  if (!window.isSecureContext) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ 'Browsers allow this sign-in only over https. Open the console over https, or on its own computer as http://localhost.',
    );
  }
  const isNative = location.protocol === 'http:';
  const redirectUri = `${location.origin}/console/`;
  const { url, pending } = await beginBrowserSignIn(send, address, {
    clientUri: isNative ? gatehouseUri : redirectUri,
    redirectUri,
    isNative,
    responseMode: 'fragment',
  });
  const next = new URLSearchParams(location.search).get('next') ?? undefined;
  sessionStorage.setItem(key, JSON.stringify({ pending, next }));
  location.assign(url);
  return new Promise<never>(() => {});
}

/** Finishes the sign-in that this tab has begun, and returns the screen to show. Throws `ConnectionFailure`. */
export async function finishSignInFromPage(answer: URLSearchParams): Promise<string> {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const kept: unknown = text === null ? undefined : readJson(text);
  if (!fits(Kept, kept)) {
    throw new ConnectionFailure('refused', /*i18n*/ 'This tab has no sign-in to finish. Sign in again.');
  }
  const signedIn = await finishBrowserSignIn(
    (request) => sendFromPage(request),
    kept.pending,
    answer,
    Date.now(),
  );
  const session = sessionOf(signedIn);
  sessionStore(sessionStorage).save(session);
  return screenOf(session.connection.id, kept.next);
}

function sessionOf({ server, userId, accessToken, oauth, mas }: BrowserSignedIn) {
  const { baseUrl, dialect } = server;
  const id = connectionId(userId, baseUrl);
  const connection: Connection = {
    id,
    baseUrl,
    dialect: dialect.name,
    userId,
    local: false,
    ...(mas && { mas }),
  };
  return { connection, accessToken, ...(oauth && { oauth }) };
}

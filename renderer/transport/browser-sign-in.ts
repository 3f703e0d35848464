/** Signs in from a browser: with a password or token, by redirect, or with a device code. */
import { Type } from 'typebox';
import { parseAddress } from '../../shared/address.ts';
import {
  type BrowserSignedIn,
  beginBrowserSignIn,
  findSignInMethods,
  finishBrowserSignIn,
  PendingBrowserSignIn,
} from '../../shared/browser-sign-in.ts';
import { signInWithCode } from '../../shared/code-sign-in.ts';
import {
  type Connection,
  ConnectionFailure,
  type Send,
  type TypedCredentials,
} from '../../shared/connection.ts';
import { connectionId } from '../../shared/connection-id.ts';
import { discover } from '../../shared/discover.ts';
import { fits } from '../../shared/fits.ts';
import { gatehouseUri } from '../../shared/oauth.ts';
import { readJson } from '../../shared/read-json.ts';
import type { Session } from '../../shared/session.ts';
import { signIn } from '../../shared/sign-in.ts';
import { sendFromPage } from './fetch.ts';
import type { ConnectOptions } from './host.ts';
import { screenOf } from './screen-of.ts';
import { pendingSignInKey as key } from './sessions.ts';

export { findSignInMethods };

/** `search`: the connect screen's parameters. */
const StoredSignIn = Type.Object({ pending: PendingBrowserSignIn, search: Type.String() });

const isNative = () => location.protocol === 'http:';
const consoleUrl = () => `${location.origin}/console/`;
const clientUri = () => (isNative() ? gatehouseUri : consoleUrl());

const cancelled = () =>
  new ConnectionFailure('cancelled', /*i18n*/ "Sign-in wasn't completed in the browser.");

/**
 * Leaves the console for the server's sign-in page; never resolves.
 *
 * @throws ConnectionFailure, `cancelled` if the user navigates back
 */
export async function leaveToSignIn(storage: Storage, send: Send, address: string): Promise<never> {
  if (!window.isSecureContext) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ 'This sign-in requires https. Open the console over https or locally at http://localhost.',
    );
  }
  const { url, pending } = await beginBrowserSignIn(send, address, {
    clientUri: clientUri(),
    redirectUri: consoleUrl(),
    isNative: isNative(),
    responseMode: 'fragment',
  });
  storage.setItem(key, JSON.stringify({ pending, search: location.search }));
  location.assign(url);
  // From the back/forward cache.
  return new Promise<never>((_, reject) => {
    const onReturn = () => {
      storage.removeItem(key);
      reject(cancelled());
    };
    addEventListener('pageshow', onReturn, { once: true });
  });
}

/**
 * Finishes the sign-in that this tab began and sets the address to the next screen; after a failure, to the connect
 * screen.
 *
 * @param answer undefined if the user navigated back
 * @throws ConnectionFailure
 */
export async function finishSignInFromPage(
  storage: Storage,
  save: (session: Session) => void,
  answer: URLSearchParams | undefined,
): Promise<void> {
  const text = storage.getItem(key);
  storage.removeItem(key);
  const stored: unknown = text === null ? undefined : readJson(text);
  const search = fits(StoredSignIn, stored) ? stored.search : '';
  history.replaceState(null, '', `/console/connect${search}`);
  if (!answer) throw cancelled();
  if (!fits(StoredSignIn, stored)) {
    throw new ConnectionFailure('refused', /*i18n*/ 'No sign-in in progress in this tab. Sign in again.');
  }
  const signedIn = await finishBrowserSignIn(
    (request) => sendFromPage(request),
    stored.pending,
    answer,
    Date.now(),
  );
  const session = sessionOf(signedIn);
  save(session);
  const next = new URLSearchParams(search).get('next') ?? undefined;
  history.replaceState(null, '', screenOf(session.connection.id, next));
}

/** @throws ConnectionFailure */
export async function signInWithCodeFromPage(
  save: (session: Session) => void,
  send: Send,
  address: string,
  { signal = new AbortController().signal, onCode = () => {} }: ConnectOptions = {},
): Promise<Connection> {
  const session = sessionOf(await signInWithCode(send, address, { clientUri: clientUri(), onCode, signal }));
  save(session);
  return session.connection;
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

/** Distinguishes CORS failures from network failures, which `fetch` reports alike. */
async function explainUnreachable(error: Error, address: string): Promise<Error> {
  const isUnreachable =
    error instanceof ConnectionFailure && error.code === 'unreachable' && error.values.status === undefined;
  if (!isUnreachable) return error;
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

export async function openSession(
  save: (session: Session) => void,
  send: Send,
  address: string,
  credentials: TypedCredentials,
): Promise<Connection> {
  const server = await discover(send, address).catch(async (error) => {
    throw await explainUnreachable(error, address);
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

/** The servers that the user is signed in to. Tokens never leave the vault. */
import { randomUUID } from 'node:crypto';
import { parseAddress } from '../../shared/address.ts';
import { findSignInMethods, type SignInMethods } from '../../shared/browser-sign-in.ts';
import { type SignInCode, signInWithCode } from '../../shared/code-sign-in.ts';
import {
  type Connection,
  ConnectionFailure,
  type Credentials,
  type Send,
  type TypedCredentials,
} from '../../shared/connection.ts';
import { connectionId } from '../../shared/connection-id.ts';
import { type Dialect, dialects } from '../../shared/dialect.ts';
import { discover } from '../../shared/discover.ts';
import { gatehouseUri, onBehalfOf, revoke } from '../../shared/oauth.ts';
import type { Session } from '../../shared/session.ts';
import { type SignedIn, signIn } from '../../shared/sign-in.ts';
import { tokenRefresh } from '../../shared/token-refresh.ts';
import type { HomeserverProcess } from '../homeserver/homeserver-process.ts';
import type { Vault } from '../vault/vault.ts';
import { signInInBrowser } from './browser-sign-in.ts';
import type { Consent } from './consent.ts';

export type Connections = ReturnType<typeof createConnections>;

type ConnectionsOptions = {
  vault: Vault;
  homeserver: Pick<HomeserverProcess, 'state' | 'url' | 'ask'>;
  send: Send;
  consent: Consent;
  /** Opens a page in the system browser. */
  openPage(url: string): Promise<void>;
  showCode(code: SignInCode): void;
};

export function createConnections({
  vault,
  homeserver,
  send,
  consent,
  openPage,
  showCode,
}: ConnectionsOptions) {
  /** Origins that the user has agreed to since the app started. */
  const agreed = new Set<string>();

  /** The local server's last port isn't trusted: another program may listen there now. */
  const isKnown = (origin: string) =>
    vault.list().some(({ connection: { local, baseUrl } }) => !local && new URL(baseUrl).origin === origin);

  const refresh = tokenRefresh({ find: vault.get, save: vault.put, send, now: Date.now });
  /** Cancels the sign-in that waits for the browser. */
  let browserSignIn = new AbortController();

  /** Asks before the first request to an origin, including one that the first server delegates to. */
  function consentForSignIn() {
    // By host: one question covers finding out if the server uses TLS. Agreeing to a TLS connection never sends
    // credentials without it.
    const questions = new Map<string, Promise<void>>();
    const ask = async (origin: string) => {
      await consent(origin);
      agreed.add(origin);
    };
    const agree = async (url: string) => {
      const { origin, host } = new URL(url);
      const answer =
        questions.get(host) ?? (isKnown(origin) || agreed.has(origin) ? Promise.resolve() : ask(origin));
      questions.set(host, answer);
      await answer;
    };
    const sender: Send = async (request) => {
      await agree(request.url);
      return send(request);
    };
    return { agree, sender };
  }

  async function add(
    sender: Send,
    server: { baseUrl: string; dialect: Dialect },
    credentials: TypedCredentials,
    local: boolean,
  ): Promise<Connection> {
    return keep(server, await signIn(sender, server, credentials), local);
  }

  async function keep(
    { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
    { accessToken, userId, oauth, mas }: SignedIn & Pick<Session, 'oauth'> & Pick<Connection, 'mas'>,
    local: boolean,
  ): Promise<Connection> {
    const before = vault.list().find(({ connection }) => {
      return connection.userId === userId && (local ? connection.local : connection.baseUrl === baseUrl);
    });
    const connection: Connection = {
      // The local server may have been reset since: data kept for the old one doesn't belong to it.
      id: before?.connection.id ?? (local ? randomUUID() : connectionId(userId, baseUrl)),
      baseUrl,
      dialect: dialect.name,
      userId,
      local,
      ...(mas && { mas }),
    };
    await vault.put({ connection, accessToken, ...(oauth && { oauth }) });
    if (before && before.accessToken !== accessToken) await logOut({ ...before, connection });
    return connection;
  }

  async function logOut(session: Session): Promise<void> {
    const { connection, accessToken } = session;
    const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/client/v3/logout`;
    try {
      if (session.oauth) await revoke(onBehalfOf(send, connection.baseUrl), session);
      else await send({ method: 'POST', url, accessToken, body: {} });
    } catch (error) {
      // If the server is unreachable, its session stays there, but its token is gone here.
      if (!(error instanceof ConnectionFailure)) throw error;
    }
  }

  async function logOutWhereItIs(found: Session): Promise<void> {
    if (!found.connection.local) return logOut(found);
    const { url } = homeserver.state;
    if (url) await logOut({ ...found, connection: { ...found.connection, baseUrl: url } });
  }

  /** The local server's port changes with each start, and its sessions follow. */
  async function session(connectionId: string): Promise<Session> {
    const found = vault.get(connectionId);
    if (!found) {
      throw new ConnectionFailure('no_such_connection', /*i18n*/ "You're not signed in to this server.");
    }
    if (!found.connection.local) return found;
    // During a cold start, requests wait for the server.
    return { ...found, connection: { ...found.connection, baseUrl: await homeserver.url() } };
  }

  return {
    session,

    /** Sends a request with the session's token, and once more with a refreshed token if the server rejects it. */
    authorized: async <Reply extends { status: number }>(
      connectionId: string,
      attempt: (session: Session) => Promise<Reply>,
    ): Promise<Reply> => refresh.authorized(await session(connectionId), attempt),

    /** Base URLs of the sessions. */
    addresses: (): string[] =>
      vault
        .list()
        .flatMap(({ connection, oauth }) => [connection.baseUrl, ...(oauth ? [oauth.tokenEndpoint] : [])]),

    /** With their last addresses, without waiting. */
    known: (): Connection[] => vault.list().map(({ connection }) => connection),

    /** With the local server's current address, or its last one if it doesn't start. */
    async list(): Promise<Connection[]> {
      const connections = vault.list().map(({ connection }) => connection);
      if (!connections.some(({ local }) => local)) return connections;
      const url = await homeserver.url().catch(() => undefined);
      return connections.map((connection) =>
        connection.local && url ? { ...connection, baseUrl: url } : connection,
      );
    },

    methods: async (address: string): Promise<SignInMethods> =>
      findSignInMethods(consentForSignIn().sender, parseAddress(address)),

    async add(address: string, credentials: Credentials): Promise<Connection> {
      const { agree, sender } = consentForSignIn();
      browserSignIn.abort();
      if (credentials.type === 'browser') {
        browserSignIn = new AbortController();
        const open = async (url: string) => {
          await agree(url);
          await openPage(url);
        };
        const signedIn = await signInInBrowser(sender, parseAddress(address), open, browserSignIn.signal);
        return keep(signedIn.server, signedIn, false);
      }
      if (credentials.type === 'code') {
        browserSignIn = new AbortController();
        const { signal } = browserSignIn;
        const options = { clientUri: gatehouseUri, onCode: showCode, signal };
        const signedIn = await signInWithCode(sender, parseAddress(address), options);
        return keep(signedIn.server, signedIn, false);
      }
      return add(sender, await discover(sender, parseAddress(address)), credentials, false);
    },

    cancelSignIn: (): void => browserSignIn.abort(),

    /** Signs in to the built-in homeserver, or resumes a session that is still valid. */
    async addLocal(): Promise<Connection> {
      const server = await discover(send, await homeserver.url());
      const before = vault.list().find(({ connection }) => connection.local);
      if (before) {
        const { accessToken } = before;
        try {
          return await add(send, server, { type: 'access_token', accessToken }, true);
        } catch (error) {
          if (!(error instanceof ConnectionFailure) || error.code !== 'bad_credentials') throw error;
        }
      }
      const token = await homeserver.ask('sign-in');
      return add(send, server, { type: 'login_token', token }, true);
    },

    async remove(connectionId: string): Promise<void> {
      const found = vault.get(connectionId);
      if (!found)
        throw new ConnectionFailure('no_such_connection', /*i18n*/ 'This server was already removed.');
      try {
        await vault.remove(connectionId);
      } finally {
        // Signs out on the server even if the vault can't be changed: then the leftover token is useless.
        await logOutWhereItIs(found);
      }
    },
  };
}

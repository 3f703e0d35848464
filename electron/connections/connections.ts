/** The servers that the person is signed in to: added, listed, removed. Tokens never leave the vault. */
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
  /** Opens a page in the system's browser. */
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
  /** Where the person has agreed to connect since the app started. */
  const agreed = new Set<string>();

  /** The local server's last port says nothing: another program may listen there by now. */
  const isKnown = (origin: string) =>
    vault.list().some(({ connection: { local, baseUrl } }) => !local && new URL(baseUrl).origin === origin);

  const refresh = tokenRefresh({ find: vault.get, save: vault.put, send, now: Date.now });
  /** Gives up the sign-in that waits for a browser. */
  let browserSignIn = new AbortController();

  /** Asks before the first request to an origin, also to one that the first server delegates to. */
  function consentForSignIn() {
    // By host: whether the server answers with or without encryption is found out with one question. Nobody signs in
    // without it who agreed to a connection with it.
    const asked = new Map<string, Promise<void>>();
    const ask = async (origin: string) => {
      await consent(origin);
      agreed.add(origin);
    };
    const agree = async (url: string) => {
      const { origin, host } = new URL(url);
      const answer =
        asked.get(host) ?? (isKnown(origin) || agreed.has(origin) ? Promise.resolve() : ask(origin));
      asked.set(host, answer);
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
      // A local server's data may have been begun anew since: what was kept of the former is none of its own.
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
      // A server that can't be reached keeps a session that nobody has the token of any more.
      if (!(error instanceof ConnectionFailure)) throw error;
    }
  }

  async function logOutWhereItIs(found: Session): Promise<void> {
    if (!found.connection.local) return logOut(found);
    const { url } = homeserver.state;
    if (url) await logOut({ ...found, connection: { ...found.connection, baseUrl: url } });
  }

  /** The local server listens elsewhere after each start; its sessions follow it there. */
  async function session(connectionId: string): Promise<Session> {
    const found = vault.get(connectionId);
    if (!found) {
      throw new ConnectionFailure('no_such_connection', /*i18n*/ "You're not signed in to this server.");
    }
    if (!found.connection.local) return found;
    // A cold start: what is asked meanwhile waits for it.
    return { ...found, connection: { ...found.connection, baseUrl: await homeserver.url() } };
  }

  return {
    session,

    /** Sends a request with the session's token; where the server refuses it, once more with a renewed one. */
    authorized: async <Reply extends { status: number }>(
      connectionId: string,
      attempt: (session: Session) => Promise<Reply>,
    ): Promise<Reply> => refresh.authorized(await session(connectionId), attempt),

    /** Where requests of the sessions are sent. */
    addresses: (): string[] =>
      vault
        .list()
        .flatMap(({ connection, oauth }) => [connection.baseUrl, ...(oauth ? [oauth.tokenEndpoint] : [])]),

    /** With the addresses that they had; nothing is waited for. */
    known: (): Connection[] => vault.list().map(({ connection }) => connection),

    /** With the local server's address of now; its last one is given only where it doesn't start. */
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

    /** Signs in to the homeserver in the box; a session that it still knows is taken up again. */
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
        // All the more where what is kept could not be changed: nobody can do anything with it then.
        await logOutWhereItIs(found);
      }
    },
  };
}

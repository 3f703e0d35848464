/** The servers that the person is signed in to: added, listed, removed. Tokens never leave the vault. */

import { randomUUID } from 'node:crypto';
import { parseAddress } from '../shared/address.ts';
import { type Connection, ConnectionFailure, type Credentials, type Send } from '../shared/connection.ts';
import { connectionId } from '../shared/connection-id.ts';
import { type Dialect, dialects } from '../shared/dialect.ts';
import { discover } from '../shared/discover.ts';
import { signIn } from '../shared/sign-in.ts';
import type { Consent } from './consent.ts';
import type { HomeserverProcess } from './homeserver-process.ts';
import type { Session, Vault } from './vault.ts';

export type Connections = ReturnType<typeof createConnections>;

export type ConnectionsOptions = {
  vault: Vault;
  homeserver: Pick<HomeserverProcess, 'state' | 'url' | 'ask'>;
  send: Send;
  consent: Consent;
};

export function createConnections({ vault, homeserver, send, consent }: ConnectionsOptions) {
  /** Where the person has agreed to connect since the app started. */
  const agreed = new Set<string>();

  /** The local server's last port says nothing: another program may listen there by now. */
  const isKnown = (origin: string) =>
    vault.list().some(({ connection: { local, baseUrl } }) => !local && new URL(baseUrl).origin === origin);

  /** Asks before the first request to an origin, also to one that the first server delegates to. */
  function sendWithConsent(): Send {
    // By host: whether the server answers with or without encryption is found out with one question. Nobody signs in
    // without it who agreed to a connection with it.
    const asked = new Map<string, Promise<void>>();
    const ask = async (origin: string) => {
      await consent(origin);
      agreed.add(origin);
    };
    return async (request) => {
      const { origin, host } = new URL(request.url);
      const answer =
        asked.get(host) ?? (isKnown(origin) || agreed.has(origin) ? Promise.resolve() : ask(origin));
      asked.set(host, answer);
      await answer;
      return send(request);
    };
  }

  async function add(
    sender: Send,
    server: { baseUrl: string; dialect: Dialect },
    credentials: Credentials,
    local: boolean,
  ): Promise<Connection> {
    const { accessToken, userId } = await signIn(sender, server, credentials);
    const { baseUrl, dialect } = server;
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
    };
    await vault.put({ connection, accessToken });
    if (before && before.accessToken !== accessToken) await logOut({ ...before, connection });
    return connection;
  }

  async function logOut({ connection, accessToken }: Session): Promise<void> {
    const url = `${connection.baseUrl}${dialects[connection.dialect].chat}/client/v3/logout`;
    try {
      await send({ method: 'POST', url, accessToken, body: {} });
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
      throw new ConnectionFailure(
        'no_such_connection',
        /*i18n*/ 'You are not signed in to this server any more.',
      );
    }
    if (!found.connection.local) return found;
    // A cold start: what is asked meanwhile waits for it.
    return { ...found, connection: { ...found.connection, baseUrl: await homeserver.url() } };
  }

  return {
    session,

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

    async add(address: string, credentials: Credentials): Promise<Connection> {
      const sender = sendWithConsent();
      return add(sender, await discover(sender, parseAddress(address)), credentials, false);
    },

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
        throw new ConnectionFailure('no_such_connection', /*i18n*/ 'This server was removed already.');
      try {
        await vault.remove(connectionId);
      } finally {
        // All the more where what is kept could not be changed: nobody can do anything with it then.
        await logOutWhereItIs(found);
      }
    },
  };
}

import { Type } from 'typebox';
import { Connection } from '../../shared/connection.ts';
import { persisted } from '../persisted.ts';

/** The id of the server that was looked at last; empty where there was none. */
export const rememberedServer = () => persisted('gatehouse.server', Type.String(), '');

const mostKnown = 20;

/** Whom a person was signed in as and where, the latest first, without any secret; until they sign out. */
export const knownServers = () => persisted('gatehouse.servers', Type.Array(Connection), []);

const others = (id: string) =>
  knownServers()
    .read()
    .filter((known) => known.id !== id);

/** The server that is looked at: it is there again, and after its session has ended it is known where to sign in. */
export function rememberServer(connection: Connection) {
  const [latest] = knownServers().read();
  if (rememberedServer().read() !== connection.id) rememberedServer().write(connection.id);
  if (latest?.id !== connection.id) {
    knownServers().write([connection, ...others(connection.id)].slice(0, mostKnown));
  }
}

/** The address that the next sign-in offers: of the last sign-out, or of a sign-in that left the page; may be empty. */
export const lastAddress = () => persisted('gatehouse.address', Type.String(), '');

/** Forgets the account; only the server's address is kept. */
export function forgetServer({ id, baseUrl, local }: Connection) {
  knownServers().write(others(id));
  if (!local) lastAddress().write(baseUrl);
}

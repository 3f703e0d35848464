import { Type } from 'typebox';
import { Connection } from '../../shared/connection.ts';
import { persisted } from '../persisted.ts';

/** The ID of the last active connection, or empty. */
export const lastConnectionId = () => persisted('gatehouse.server', Type.String(), '');

const maxAccounts = 20;

/** The accounts that the user hasn't signed out of, latest first, without secrets. */
export const savedAccounts = () => persisted('gatehouse.servers', Type.Array(Connection), []);

const otherAccounts = (id: string) =>
  savedAccounts()
    .read()
    .filter((account) => account.id !== id);

/** Makes this the server to reopen, and the one to sign in to when its session has ended. */
export function rememberAccount(connection: Connection) {
  const [latest] = savedAccounts().read();
  if (lastConnectionId().read() !== connection.id) lastConnectionId().write(connection.id);
  if (latest?.id !== connection.id) {
    savedAccounts().write([connection, ...otherAccounts(connection.id)].slice(0, maxAccounts));
  }
}

/** The URL that the sign-in form offers, from the last sign-out or an SSO redirect; may be empty. */
export const lastBaseUrl = () => persisted('gatehouse.address', Type.String(), '');

/** Forgets the account, keeping the server's URL. */
export function forgetAccount({ id, baseUrl, local }: Connection) {
  savedAccounts().write(otherAccounts(id));
  if (lastConnectionId().read() === id) lastConnectionId().forget();
  if (!local) lastBaseUrl().write(baseUrl);
}

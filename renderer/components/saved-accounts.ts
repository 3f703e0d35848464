import { Type } from 'typebox';
import { Connection } from '../../shared/connection.ts';
import type { KeptValues } from '../persisted.ts';

/** The ID of the last active connection, or empty. */
export const lastConnectionId = (kept: KeptValues) => kept.open('gatehouse.server', Type.String(), '');

const maxAccounts = 20;

/** The accounts that the user hasn't signed out of, latest first, without secrets. */
export const savedAccounts = (kept: KeptValues) => kept.open('gatehouse.servers', Type.Array(Connection), []);

const otherAccounts = (kept: KeptValues, id: string) =>
  savedAccounts(kept)
    .read()
    .filter((account) => account.id !== id);

/** Makes this the server to reopen, and the one to sign in to when its session has ended. */
export function rememberAccount(kept: KeptValues, connection: Connection) {
  const [latest] = savedAccounts(kept).read();
  if (lastConnectionId(kept).read() !== connection.id) lastConnectionId(kept).write(connection.id);
  if (latest?.id !== connection.id) {
    savedAccounts(kept).write([connection, ...otherAccounts(kept, connection.id)].slice(0, maxAccounts));
  }
}

/** The URL that the sign-in form offers, from the last sign-out or an SSO redirect; may be empty. */
export const lastBaseUrl = (kept: KeptValues) => kept.open('gatehouse.address', Type.String(), '');

/** Removes the account, and keeps the server's URL. */
export function forgetAccount(kept: KeptValues, { id, baseUrl, local }: Connection) {
  savedAccounts(kept).write(otherAccounts(kept, id));
  if (lastConnectionId(kept).read() === id) lastConnectionId(kept).forget();
  if (!local) lastBaseUrl(kept).write(baseUrl);
}

import { Type } from 'typebox';
import { Connection } from '../../shared/connection.ts';
import type { DeviceStorage } from '../persisted.ts';

/** The ID of the last active connection, or empty. */
export const lastConnectionId = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.server', Type.String(), '');

const maxAccounts = 20;

/** The accounts that the user hasn't signed out of, latest first, without secrets. */
export const savedAccounts = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.servers', Type.Array(Connection), []);

const otherAccounts = (deviceStorage: DeviceStorage, id: string) =>
  savedAccounts(deviceStorage)
    .read()
    .filter((account) => account.id !== id);

/** Makes this the server to reopen, and the one to sign in to when its session has ended. */
export function rememberAccount(deviceStorage: DeviceStorage, connection: Connection) {
  const [latest] = savedAccounts(deviceStorage).read();
  if (lastConnectionId(deviceStorage).read() !== connection.id)
    lastConnectionId(deviceStorage).write(connection.id);
  if (latest?.id !== connection.id) {
    savedAccounts(deviceStorage).write(
      [connection, ...otherAccounts(deviceStorage, connection.id)].slice(0, maxAccounts),
    );
  }
}

/** The URL that the sign-in form offers, from the last sign-out or an SSO redirect; may be empty. */
export const lastBaseUrl = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.address', Type.String(), '');

/** Removes the account, and keeps the server's URL. */
export function forgetAccount(deviceStorage: DeviceStorage, { id, baseUrl, local }: Connection) {
  savedAccounts(deviceStorage).write(otherAccounts(deviceStorage, id));
  if (lastConnectionId(deviceStorage).read() === id) lastConnectionId(deviceStorage).forget();
  if (!local) lastBaseUrl(deviceStorage).write(baseUrl);
}

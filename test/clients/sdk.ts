/** Client devices: the published `matrix-js-sdk` with its own cryptography. */
import {
  ClientEvent,
  createClient,
  type ICreateClientOpts,
  type IStartClientOpts,
  type MatrixClient,
  SyncState,
} from 'matrix-js-sdk';
import type { CryptoApi } from 'matrix-js-sdk/lib/crypto-api/index.js';
import { logger } from 'matrix-js-sdk/lib/logger.js';
import { SlidingSync } from 'matrix-js-sdk/lib/sliding-sync.js';
import { expect } from 'vitest';
import type { TestHomeserver } from '../server/homeserver.ts';
import { eachInTime, inTime } from './in-time.ts';

/** A stable address for clients, because the server's port changes with a restart. */
const address = 'http://homeserver.test';

export type Device = MatrixClient & {
  crypto: CryptoApi;
  /** The device's network connection. */
  network: { isDown: boolean };
  /** Recovery keys by ID, stored by the user outside of the devices. */
  recoveryKeys: RecoveryKeys;
};

type RecoveryKeys = Map<string, Uint8Array<ArrayBuffer>>;

// Silences the library's logger. Each module has a child logger with its own level, which inherits `methodFactory`.
Object.assign(logger, { methodFactory: () => () => {} });
(logger as unknown as { rebuild(): void }).rebuild();

const quiet = {
  ...{ trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  getChild: () => quiet,
};

/** Signs in with the password `secret`, sets up cryptography, and waits for the first sync. */
export async function signIn(
  homeserver: TestHomeserver,
  user: string,
  {
    slidingSync = false,
    recoveryKeys = new Map(),
  }: { slidingSync?: boolean; recoveryKeys?: RecoveryKeys } = {},
): Promise<Device> {
  const network = { isDown: false };
  const fetchFn: typeof fetch = async (url, init) => {
    const reply = await fetch(String(url).replace(address, homeserver.url), init);
    // Replies in flight are lost when the network disconnects.
    if (network.isDown) throw new TypeError('The network is down');
    return reply;
  };
  const session = await eachInTime(createClient({ baseUrl: address, fetchFn, logger: quiet })).loginRequest({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password: 'secret',
  });
  const client = createClient({
    baseUrl: address,
    fetchFn,
    logger: quiet,
    accessToken: session.access_token,
    userId: session.user_id,
    deviceId: session.device_id,
    cryptoCallbacks: keepsSecretStorageKey(recoveryKeys),
  });
  await inTime('initRustCrypto', client.initRustCrypto({ useIndexedDB: false }));
  await startSyncing(client, slidingSync ? { slidingSync: slidingSyncOf(client) } : {});
  const crypto = client.getCrypto();
  if (!crypto) throw new Error('there is no cryptography');
  return eachInTime(Object.assign(client, { crypto: eachInTime(crypto), network, recoveryKeys }));
}

async function startSyncing(client: MatrixClient, options: IStartClientOpts): Promise<void> {
  const prepared = new Promise<void>((resolve) => {
    const listen = (state: SyncState) => {
      if (state !== SyncState.Prepared) return;
      client.off(ClientEvent.Sync, listen);
      resolve();
    };
    client.on(ClientEvent.Sync, listen);
  });
  const begun = client.startClient({ threadSupport: true, pollTimeout: 10_000, ...options });
  await inTime('The first sync', Promise.all([begun, prepared]));
}

function slidingSyncOf(client: MatrixClient): SlidingSync {
  const shown = { timeline_limit: 20, required_state: [['*', '*']] };
  return new SlidingSync(address, new Map([['all', { ...shown, ranges: [[0, 20]] }]]), shown, client, 10_000);
}

/** Returns callbacks that share a user's recovery key between their devices. */
function keepsSecretStorageKey(keys: RecoveryKeys): NonNullable<ICreateClientOpts['cryptoCallbacks']> {
  return {
    cacheSecretStorageKey: (id, _, key) => void keys.set(id, key),
    async getSecretStorageKey({ keys: wanted }) {
      for (const id of Object.keys(wanted)) {
        const key = keys.get(id);
        if (key) return [id, key];
      }
      return null;
    },
  };
}

/** Polls until the assertion passes. */
export const eventually = (what: () => unknown) => expect.poll(what, { interval: 20 });

/** Returns the current text of a room's messages, oldest first. */
export const texts = (client: MatrixClient, roomId: string): string[] =>
  (client.getRoom(roomId)?.getLiveTimeline().getEvents() ?? [])
    .filter((event) => event.getType() === 'm.room.message')
    .filter((event) => !event.isRelation('m.replace') && !event.isDecryptionFailure())
    .map((event) => String(event.getContent().body));

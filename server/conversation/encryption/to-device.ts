/** Sending to-device messages. Client-server API, "Send-to-Device messaging". */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { forEachYielding } from '../../platform/concurrency/yield.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { nextChange } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../platform/database/transaction.ts';
import type { RateLimiter } from '../../platform/http/rate-limiter.ts';
import type { DeviceName } from './one-time-key-store.ts';
import {
  deleteOldTransactions,
  dropOldest,
  insertMessages,
  insertTransaction,
  lockDevices,
  type Message,
} from './to-device-store.ts';

export type ToDeviceContext = {
  db: Database;
  clock: Clock;
  notifier: Notifier;
};

type Sending = {
  type: string;
  transactionId: string;
  /** By user and device; `*` is all of a user's. */
  messages: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
};

/** In bytes of JSON. */
const maximumMessage = 64 * 1024;
/** Of all rows of a request, in characters: a message for all devices of a user is stored for each. */
const maximumTogether = 16 * 1024 * 1024;
const maximumName = 255;
/** Messages that share a stream position, which application services get in one transaction. */
const maxAtPosition = 100;
const maxCharactersAtPosition = 500_000;
/** Messages kept for a device. */
const longestInbox = 10_000;
/** Stream positions between checks of the limit. */
const measureEvery = 50;
/** How long transaction IDs are remembered, in milliseconds. */
const transactionLifetime = 24 * 60 * 60 * 1000;

/**
 * Sends messages to existing local devices. Key requests to other users beyond the rate limit are dropped. Repeating a
 * transaction has no effect.
 *
 * @throws MatrixError 400 for a long type or transaction ID; 413 for large messages
 */
export async function sendToDevices(
  { db, clock, notifier }: ToDeviceContext,
  { userId: sender, deviceId }: Requester,
  { type, transactionId, messages }: Sending,
  keyRequests: RateLimiter,
): Promise<void> {
  requireName('The type', type);
  requireName('Transaction ID', transactionId);
  const wanted = await contents(messages);
  if (type === 'm.room_key_request') {
    for (const userId of wanted.keys()) {
      if (userId === sender) continue;
      const mayAsk = await isAllowed(keyRequests.take(`${sender} ${deviceId}`));
      if (!mayAsk) wanted.delete(userId);
    }
  }
  await inTransaction(db, async (tx) => {
    const now = clock.now();
    await deleteOldTransactions(tx, now - transactionLifetime);
    const isNew = await insertTransaction(tx, { sender, deviceId: deviceId ?? '', type, transactionId, now });
    if (!isNew) return;
    const devices = await lockDevices(tx, [...wanted.keys()]);
    const found = devices.flatMap((device): Message[] => {
      const ofUser = wanted.get(device.userId);
      const content = ofUser?.get(device.deviceId) ?? ofUser?.get('*');
      return content === undefined ? [] : [{ ...device, sender, type, content }];
    });
    if (found.length === 0) return;
    const together = found.reduce((sum, { content }) => sum + content.length, 0);
    if (together > maximumTogether) throw tooLarge('The messages are too large in total');
    for (const batch of batches(found)) {
      const position = await nextChange(tx);
      await insertMessages(tx, batch, position);
      if (position % measureEvery === 0) await shortenInboxes(tx, batch);
    }
    afterCommit(tx, () => {
      for (const userId of new Set(found.map((message) => message.userId))) notifier.wake('users', userId);
    });
  });
}

/** Splits messages into batches with a stream position each. */
function batches(messages: readonly Message[]): Message[][] {
  const all: Message[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    characters += message.content.length;
    const batch = all.at(-1);
    if (batch && batch.length < maxAtPosition && characters <= maxCharactersAtPosition) {
      batch.push(message);
    } else {
      all.push([message]);
      characters = message.content.length;
    }
  }
  return all;
}

/** Returns JSON by user and device ID. @throws MatrixError 413 */
async function contents(messages: Sending['messages']): Promise<Map<string, Map<string, string>>> {
  const byUser = new Map<string, Map<string, string>>();
  for (const [userId, ofUser] of Object.entries(messages)) {
    const byDevice = new Map<string, string>();
    await forEachYielding(Object.entries(ofUser), ([deviceId, content]) => {
      const json = JSON.stringify(content);
      const bytes = Buffer.byteLength(json);
      if (bytes > maximumMessage) {
        throw tooLarge(
          `To-device message for ${userId}:${deviceId} is too large to send (${bytes} > ${maximumMessage})`,
        );
      }
      byDevice.set(deviceId, json);
    });
    byUser.set(userId, byDevice);
  }
  return byUser;
}

/** Like Synapse, don't report an exceeded limit to the client. */
async function isAllowed(taken: Promise<void>): Promise<boolean> {
  try {
    await taken;
    return true;
  } catch (error) {
    if (error instanceof MatrixError && error.status === 429) return false;
    throw error;
  }
}

async function shortenInboxes(
  tx: Parameters<typeof dropOldest>[0],
  devices: readonly DeviceName[],
): Promise<void> {
  for (const device of devices) await dropOldest(tx, device, longestInbox);
}

function requireName(what: string, name: string): void {
  if (Buffer.byteLength(name) > maximumName) {
    throw invalidParameter(`${what} can have at most ${maximumName} bytes`);
  }
}

const tooLarge = (sentence: string) => new MatrixError(413, 'M_TOO_LARGE', sentence);

/** Messages that wait for devices, until those have said that they have them. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { DeviceName } from './one-time-key-store.ts';

export type Message = DeviceName & {
  sender: string;
  type: string;
  /** JSON. */
  content: string;
};

export type SendTransaction = {
  sender: string;
  /** Empty for who has none. */
  deviceId: string;
  type: string;
  transactionId: string;
  now: number;
};

/** @returns false where it is known already */
export async function insertTransaction(
  tx: Tx,
  { sender, deviceId, type, transactionId, now }: SendTransaction,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('to_device_transactions')
    .values({
      user_id: sender,
      device_id: deviceId,
      type,
      transaction_id: transactionId,
      sent_ts: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Forgets some of those that are older: as many as come are gone soon enough. */
export async function deleteOldTransactions(tx: Tx, before: number): Promise<void> {
  const old = await tx
    .selectFrom('to_device_transactions')
    .select(['user_id', 'device_id', 'type', 'transaction_id'])
    .where('sent_ts', '<', before)
    .orderBy('sent_ts')
    .limit(10)
    .execute();
  for (const { user_id, device_id, type, transaction_id } of old) {
    await tx
      .deleteFrom('to_device_transactions')
      .where('user_id', '=', user_id)
      .where('device_id', '=', device_id)
      .where('type', '=', type)
      .where('transaction_id', '=', transaction_id)
      .execute();
  }
}

/** Forgets what devices have sent that their user has no more: another one of that name sends other things. */
export async function deleteTransactionsOfGoneDevices(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('to_device_transactions')
    .where('user_id', '=', userId)
    .where('device_id', '!=', '')
    .where('device_id', 'not in', tx.selectFrom('devices').select('device_id').where('user_id', '=', userId))
    .execute();
}

/** All devices of these users: none of them is removed before the transaction is through. */
export async function lockDevices(tx: Tx, userIds: readonly string[]): Promise<DeviceName[]> {
  const devices: DeviceName[] = [];
  for (const chunk of chunks(userIds, 500)) {
    const query = tx.selectFrom('devices').select(['user_id', 'device_id']).where('user_id', 'in', chunk);
    const rows = await (isPostgres(tx) ? query.forKeyShare() : query).execute();
    for (const row of rows) devices.push({ userId: row.user_id, deviceId: row.device_id });
  }
  return devices;
}

/**
 * @param messages not more than one statement takes
 * @param position in the order of changes; no other transaction has it
 */
export async function insertMessages(tx: Tx, messages: readonly Message[], position: number): Promise<void> {
  await tx
    .insertInto('to_device_messages')
    .values(
      messages.map(({ userId, deviceId, sender, type, content }) => ({
        user_id: userId,
        device_id: deviceId,
        stream_id: position,
        sender,
        type,
        content,
      })),
    )
    .execute();
}

/** Leaves a device its newest messages. */
export async function dropOldest(tx: Tx, { userId, deviceId }: DeviceName, kept: number): Promise<void> {
  const last = await tx
    .selectFrom('to_device_messages')
    .select('stream_id')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .orderBy('stream_id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (last) await deleteUpTo(tx, { userId, deviceId, upTo: last.stream_id });
}

/** What a client is shown of a message. */
type ToDeviceEvent = { type: string; sender: string; content: JsonObject };

export type Inbox = {
  events: ToDeviceEvent[];
  /**
   * Up to which change the device has everything now. Where there were more messages than fit it is lower than what
   * was asked for, and the next read begins there.
   */
  upTo: number;
};

/** As many messages are read at once, like at the reference homeserver. */
const pageSize = 100;

/** The messages of a device after one change and up to another, the oldest first. */
export async function readInbox(
  db: Database,
  {
    userId,
    deviceId,
    after,
    upTo,
    limit = pageSize,
  }: DeviceName & { after: number; upTo: number; limit?: number },
): Promise<Inbox> {
  const { rows } = await selectMessages(db, { userId, deviceId, after, upTo, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(({ type, sender, content }) => ({ type, sender, content: readJson(content) })),
    upTo: last && rows.length > limit ? last.stream_id : upTo,
  };
}

type Page = DeviceName & { after: number; upTo: number; limit: number };

const selectMessages = builtOnce((db, { userId, deviceId, after, upTo, limit }: Page) =>
  db
    .selectFrom('to_device_messages')
    .select(['stream_id', 'type', 'sender', 'content'])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .orderBy('stream_id')
    .limit(limit),
);

/** Deletes what a device has said that it has: everything up to a change. It writes only where there is something. */
export async function acknowledgeInbox(db: Database, read: DeviceName & { upTo: number }): Promise<void> {
  const { rows } = await selectRead(db, read);
  if (rows.length > 0) await deleteUpTo(db, read);
}

const selectRead = builtOnce((db, { userId, deviceId, upTo }: DeviceName & { upTo: number }) =>
  db
    .selectFrom('to_device_messages')
    .select('stream_id')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('stream_id', '<=', upTo)
    .limit(1),
);

const deleteUpTo = builtOnce((db, { userId, deviceId, upTo }: DeviceName & { upTo: number }) =>
  db
    .deleteFrom('to_device_messages')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('stream_id', '<=', upTo),
);

/** To-device messages that devices haven't acknowledged yet. */
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
  /** Empty without a device. */
  deviceId: string;
  type: string;
  transactionId: string;
  now: number;
};

/** Returns false for a repeated transaction. */
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

/** Deletes a few at a time. */
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

/** Deletes transactions of deleted devices, whose IDs may be reused. */
export async function deleteTransactionsOfGoneDevices(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('to_device_transactions')
    .where('user_id', '=', userId)
    .where('device_id', '!=', '')
    .where('device_id', 'not in', tx.selectFrom('devices').select('device_id').where('user_id', '=', userId))
    .execute();
}

/** Returns all devices of these users. They can't be deleted before the transaction ends. */
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
 * @param messages few enough for one statement
 * @param position stream position of a change, used by no other transaction
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

/** Deletes all but the newest messages. */
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

type ToDeviceEvent = { type: string; sender: string; content: JsonObject };

export type Inbox = {
  events: ToDeviceEvent[];
  /** Stream position up to which the page is complete: lower than requested if there are more messages. */
  upTo: number;
};

/** Like Synapse. */
const pageSize = 100;

/** Returns messages between two stream positions, oldest first. */
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

/** Deletes acknowledged messages. Writes only if there are any. */
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

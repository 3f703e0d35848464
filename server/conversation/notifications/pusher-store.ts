/** Pushers: the push gateways that users want notifications sent to. */
import { type Selectable, sql } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { builtOnceFor } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** Fields that are returned as the client sent them. */
export type PusherContent = {
  appDisplayName: string;
  deviceDisplayName: string;
  profileTag: string;
  lang: string;
  data: JsonObject;
};

export type Pusher = {
  id: number;
  userId: string;
  appId: string;
  pushkey: string;
  content: PusherContent;
  /** Milliseconds since the Unix epoch. */
  createdTs: number;
  /** Stream position up to which events are delivered. */
  position: number;
  /** Failed calls in a row. */
  attempts: number;
  retryTs: number;
  /** Whether the gateway got a notification since it last got an unread count of 0. */
  badged: boolean;
};

type NewPusher = Pick<Pusher, 'userId' | 'appId' | 'pushkey' | 'content' | 'createdTs' | 'position'> & {
  deviceId: string | null;
};

/** @param append whether other users keep their pushers with the same app ID and push key */
export async function setPusher(tx: Tx, pusher: NewPusher, { append }: { append: boolean }): Promise<void> {
  const { userId, appId, pushkey, content, createdTs, position, deviceId } = pusher;
  if (!append) {
    await tx
      .deleteFrom('pushers')
      .where('app_id', '=', appId)
      .where('pushkey', '=', pushkey)
      .where('user_id', '<>', userId)
      .execute();
  }
  const change = { content: JSON.stringify(content), device_id: deviceId, attempts: 0, retry_ts: 0 };
  await tx
    .insertInto('pushers')
    .values({ user_id: userId, app_id: appId, pushkey, created_ts: createdTs, place: position, ...change })
    .onConflict((conflict) => conflict.columns(['app_id', 'pushkey', 'user_id']).doUpdateSet(change))
    .execute();
}

export async function deletePusher(
  db: Database,
  { userId, appId, pushkey }: Pick<Pusher, 'userId' | 'appId' | 'pushkey'>,
): Promise<void> {
  await db
    .deleteFrom('pushers')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('pushkey', '=', pushkey)
    .execute();
}

/** Deletes the pushers of deleted devices. */
export async function deletePushersOfGoneDevices(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('pushers')
    .where('user_id', '=', userId)
    .where('device_id', 'not in', tx.selectFrom('devices').select('device_id').where('user_id', '=', userId))
    .execute();
}

export async function deletePushers(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('pushers').where('user_id', '=', userId).execute();
}

/** Pushers of deleted devices are left out. */
export async function listPushers(db: Database, userId: string): Promise<Pusher[]> {
  const rows = await livePushers(db).where('pushers.user_id', '=', userId).orderBy('pushers.id').execute();
  return rows.map(asPusher);
}

/** Returns undefined if the pusher or its device was deleted. */
export async function findPusher(db: Database, id: number): Promise<Pusher | undefined> {
  const row = await livePushers(db).where('pushers.id', '=', id).executeTakeFirst();
  return row && asPusher(row);
}

type PusherPage = {
  /** Limits the list to members of these rooms and to these users. */
  of: { roomIds: readonly string[]; userIds: readonly string[] } | undefined;
  afterId: number;
  limit: number;
};

/** A page of pushers in the order of their IDs. */
export async function listPushersOf(db: Database, { of, afterId, limit }: PusherPage): Promise<Pusher[]> {
  const { rows } = await selectPushersOf(db, of === undefined ? 'all' : 'some', {
    afterId,
    limit,
    rooms: JSON.stringify(of?.roomIds ?? []),
    users: JSON.stringify(of?.userIds ?? []),
  });
  return rows.map(asPusher);
}

type Page = { afterId: number; limit: number; rooms: string; users: string };

const selectPushersOf = builtOnceFor((db, { afterId, limit, rooms, users }: Page, which: 'all' | 'some') =>
  livePushers(db)
    .where('pushers.id', '>', afterId)
    .$if(which === 'some', (all) =>
      all.where((eb) =>
        eb.or([
          eb('pushers.user_id', 'in', sql<string>`${textsOf(db, users)}`),
          eb(
            'pushers.user_id',
            'in',
            eb
              .selectFrom('memberships')
              .select('memberships.user_id')
              .where('memberships.room_id', 'in', sql<string>`${textsOf(db, rooms)}`)
              .where('memberships.membership', 'in', ['join', 'invite']),
          ),
        ]),
      ),
    )
    .orderBy('pushers.id')
    .limit(limit),
);

const livePushers = (db: Database) =>
  db
    .selectFrom('pushers')
    .selectAll('pushers')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('pushers.device_id', 'is', null),
        exists(
          selectFrom('devices')
            .select('devices.device_id')
            .whereRef('devices.user_id', '=', 'pushers.user_id')
            .whereRef('devices.device_id', '=', 'pushers.device_id'),
        ),
      ]),
    );

type Progress = Pick<Pusher, 'position' | 'attempts' | 'retryTs' | 'badged'>;

export async function updatePusher(db: Database, id: number, progress: Progress): Promise<void> {
  await noteProgress(db, id, progress).execute();
}

/** Saves a failed call. Returns false, and does nothing, if the pusher's content has changed since the call. */
export async function pausePusher(db: Database, pusher: Pusher, progress: Progress): Promise<boolean> {
  const { numUpdatedRows } = await noteProgress(db, pusher.id, progress)
    .where('content', '=', JSON.stringify(pusher.content))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a rejected pusher. Returns false, and does nothing, if its content has changed since the call. */
export async function dropPusher(db: Database, { id, content }: Pusher): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pushers')
    .where('id', '=', id)
    .where('content', '=', JSON.stringify(content))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const noteProgress = (db: Database, id: number, { position, attempts, retryTs, badged }: Progress) =>
  db
    .updateTable('pushers')
    .set({ place: position, attempts, retry_ts: retryTs, badged: badged ? 1 : 0 })
    .where('id', '=', id)
    // Another process may be further ahead.
    .where('place', '<=', position);

const asPusher = (row: Selectable<Schema['pushers']>): Pusher => ({
  id: row.id,
  userId: row.user_id,
  appId: row.app_id,
  pushkey: row.pushkey,
  content: readJson(row.content) as PusherContent,
  createdTs: row.created_ts,
  position: row.place,
  attempts: row.attempts,
  retryTs: row.retry_ts,
  badged: row.badged === 1,
});

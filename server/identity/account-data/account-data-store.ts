import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { RawJson } from '../../platform/core/json.ts';
import { nextChange } from '../../platform/database/changes.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type AccountDataKey = {
  userId: string;
  /** Undefined for global account data. */
  roomId?: string;
  type: string;
};

export async function findAccountData(db: Database, key: AccountDataKey): Promise<JsonObject | undefined> {
  const json = await findAccountDataJson(db, key);
  return json === undefined ? undefined : (readJson(json) as JsonObject);
}

export async function findAccountDataJson(
  db: Database,
  { userId, roomId = '', type }: AccountDataKey,
): Promise<string | undefined> {
  const {
    rows: [row],
  } = await selectContent(db, { userId, roomId, type });
  return row?.content;
}

const selectContent = builtOnce((db, { userId, roomId, type }: Required<AccountDataKey>) =>
  db
    .selectFrom('account_data')
    .select('content')
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .where('type', '=', type),
);

/** @param content JSON */
export async function setAccountData(
  tx: Tx,
  { userId, roomId = '', type }: AccountDataKey,
  content: string,
): Promise<void> {
  const change = { content, stream_id: await nextChange(tx) };
  await tx
    .insertInto('account_data')
    .values({ user_id: userId, room_id: roomId, type, ...change })
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id', 'type']).doUpdateSet(change))
    .execute();
}

export type AccountData = {
  /** Undefined for global account data. */
  roomId: string | undefined;
  type: string;
  content: RawJson;
  /** Stream position of the change. */
  position: number;
};

export type ChangesOfUser = {
  userId: string;
  /** Stream position; only later changes are read. Undefined for everything. */
  after: number | undefined;
  /** Stream position; later changes are left out. */
  upTo: number;
};

/**
 * Reads a user's global and room account data in stream order.
 *
 * @param matches skips other entries without reading their content, which may be long
 */
export async function readAccountDataSince(
  db: Database,
  { userId, after, upTo }: ChangesOfUser,
  matches: (entry: Omit<AccountData, 'content'>) => boolean = () => true,
): Promise<AccountData[]> {
  const data: AccountData[] = [];
  for await (const rows of sizesOf(db, { userId, after, upTo })) {
    for (const batch of batches(rows, (row) => matches(asEntry(row)))) {
      const [first, last] = [batch[0], batch.at(-1)];
      if (!first || !last) continue;
      await yieldToEventLoop();
      const from = { position: first.stream_id, roomId: first.room_id, firstType: first.type };
      const { rows: found } = await selectContents(db, { userId, ...from, ...keyOf(last) });
      for (const row of found) data.push({ ...asEntry(row), content: new RawJson(row.content) });
    }
  }
  return data;
}

/** Yields pages of keys with their sizes in bytes. */
async function* sizesOf(db: Database, { userId, after = -1, upTo }: ChangesOfUser) {
  let previous: Key = { stream_id: after, room_id: '', type: '' };
  for (;;) {
    const { rows } = await selectSizes(db, { userId, after, upTo, ...previous });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    previous = keyOf(last);
  }
}

type Key = { stream_id: number; room_id: string; type: string };

const keyOf = ({ stream_id, room_id, type }: Key): Key => ({ stream_id, room_id, type });

const asEntry = ({ room_id, type, stream_id }: Key): Omit<AccountData, 'content'> => ({
  roomId: room_id === '' ? undefined : room_id,
  type,
  position: stream_id,
});

const pageSize = 1_000;
/** In bytes, unless a single entry is larger. */
const batchSize = 512 * 1024;

/** Splits the matching rows into batches of consecutive rows. */
function* batches<Row extends { size: number }>(
  rows: readonly Row[],
  matches: (row: Row) => boolean,
): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const isMatch = matches(row);
    if (batch.length > 0 && (!isMatch || bytes + row.size > batchSize)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    if (!isMatch) continue;
    batch.push(row);
    bytes += row.size;
  }
  yield batch;
}

type Sizes = { userId: string; after: number; upTo: number } & Key;

const selectSizes = builtOnce((db, { userId, after, upTo, stream_id, room_id, type }: Sizes) =>
  db
    .selectFrom('account_data')
    .select((eb) => ['stream_id', 'room_id', 'type', eb.fn<number>('octet_length', ['content']).as('size')])
    .where('user_id', '=', userId)
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('stream_id', 'room_id', 'type'), '>', tuple(stream_id, room_id, type)),
    )
    .orderBy('stream_id')
    .orderBy('room_id')
    .orderBy('type')
    .limit(pageSize),
);

type Contents = { userId: string; position: number; roomId: string; firstType: string } & Key;

const selectContents = builtOnce(
  (db, { userId, position, roomId, firstType, stream_id, room_id, type }: Contents) =>
    db
      .selectFrom('account_data')
      .select(['stream_id', 'room_id', 'type', 'content'])
      .where('user_id', '=', userId)
      .where('stream_id', '>=', position)
      .where('stream_id', '<=', stream_id)
      .where(({ eb, refTuple, tuple }) =>
        eb.and([
          eb(refTuple('stream_id', 'room_id', 'type'), '>=', tuple(position, roomId, firstType)),
          eb(refTuple('stream_id', 'room_id', 'type'), '<=', tuple(stream_id, room_id, type)),
        ]),
      )
      .orderBy('stream_id')
      .orderBy('room_id')
      .orderBy('type'),
);

export async function deleteAllAccountData(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_data').where('user_id', '=', userId).execute();
}

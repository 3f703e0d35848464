/** What clients keep for their users. */
import type { JsonObject } from '../../shared/api/common.ts';
import { JsonText } from '../core/json-text.ts';
import { parseInTurns } from '../core/parse-in-turns.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import { builtOnce } from '../database/built-once.ts';
import { nextChange } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

export type AccountDataKey = {
  userId: string;
  /** Left out for what concerns no room. */
  roomId?: string;
  type: string;
};

export async function findAccountData(db: Database, key: AccountDataKey): Promise<JsonObject | undefined> {
  const json = await findAccountDataJson(db, key);
  return json === undefined ? undefined : ((await parseInTurns(json)) as JsonObject);
}

/** The same as it is kept, which is JSON. */
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

/** How many bytes a piece of it has; 0 where there is none. */
export async function findAccountDataSize(
  db: Database,
  { userId, roomId = '', type }: AccountDataKey,
): Promise<number> {
  const {
    rows: [row],
  } = await selectSize(db, { userId, roomId, type });
  return row?.size ?? 0;
}

const selectSize = builtOnce((db, { userId, roomId, type }: Required<AccountDataKey>) =>
  db
    .selectFrom('account_data')
    .select((eb) => eb.fn<number>('octet_length', ['content']).as('size'))
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
  /** Undefined for what concerns no room. */
  roomId: string | undefined;
  type: string;
  content: JsonText;
  /** Its place in the order of changes. */
  place: number;
};

export type ChangesOfUser = {
  userId: string;
  /** Only what was changed after this place in the order of changes; everything where it is undefined. */
  after: number | undefined;
  /** Only what was changed up to and with this place. */
  upTo: number;
};

/** What is kept of a piece of account data beside its content. */
type Piece = Omit<AccountData, 'content'>;

/**
 * What of a user's account data was set, of all rooms and of none, in the order of changes. What was changed meanwhile
 * is left out.
 *
 * @param isWanted what to read: the others' content, which may be long, is left where it is
 */
export async function readAccountDataSince(
  db: Database,
  { userId, after, upTo }: ChangesOfUser,
  isWanted: (piece: Piece) => boolean = () => true,
): Promise<AccountData[]> {
  const data: AccountData[] = [];
  for await (const rows of sizesOf(db, { userId, after, upTo })) {
    for (const together of readTogether(rows, (row) => isWanted(asPiece(row)))) {
      const [first, last] = [together[0], together.at(-1)];
      if (!first || !last) continue;
      await yieldToEventLoop();
      const from = { place: first.stream_id, roomId: first.room_id, firstType: first.type };
      const { rows: found } = await selectContents(db, { userId, ...from, ...keyOf(last) });
      for (const row of found) data.push({ ...asPiece(row), content: new JsonText([row.content]) });
    }
  }
  return data;
}

/** The keys of what was set, with the size of each, a page at a time. */
async function* sizesOf(db: Database, { userId, after = -1, upTo }: ChangesOfUser) {
  let behind: Key = { stream_id: after, room_id: '', type: '' };
  for (;;) {
    const { rows } = await selectSizes(db, { userId, after, upTo, ...behind });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    behind = keyOf(last);
  }
}

type Key = { stream_id: number; room_id: string; type: string };

const keyOf = ({ stream_id, room_id, type }: Key): Key => ({ stream_id, room_id, type });

const asPiece = ({ room_id, type, stream_id }: Key): Piece => ({
  roomId: room_id === '' ? undefined : room_id,
  type,
  place: stream_id,
});

const pageSize = 1_000;
/** As many bytes are read at once, or one piece that has more. */
const bytesAtOnce = 512 * 1024;

/** Those that are wanted, in runs that stand one behind the other and are not too long together. */
function* readTogether<Row extends { size: number }>(
  rows: readonly Row[],
  isWanted: (row: Row) => boolean,
): Generator<Row[]> {
  let run: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const isRead = isWanted(row);
    if (run.length > 0 && (!isRead || bytes + row.size > bytesAtOnce)) {
      yield run;
      [run, bytes] = [[], 0];
    }
    if (!isRead) continue;
    run.push(row);
    bytes += row.size;
  }
  yield run;
}

type Sizes = { userId: string; after: number; upTo: number } & Key;

/** Those of a page, behind a key. */
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

type Contents = { userId: string; place: number; roomId: string; firstType: string } & Key;

/** Those from one key to another. */
const selectContents = builtOnce(
  (db, { userId, place, roomId, firstType, stream_id, room_id, type }: Contents) =>
    db
      .selectFrom('account_data')
      .select(['stream_id', 'room_id', 'type', 'content'])
      .where('user_id', '=', userId)
      .where('stream_id', '>=', place)
      .where('stream_id', '<=', stream_id)
      .where(({ eb, refTuple, tuple }) =>
        eb.and([
          eb(refTuple('stream_id', 'room_id', 'type'), '>=', tuple(place, roomId, firstType)),
          eb(refTuple('stream_id', 'room_id', 'type'), '<=', tuple(stream_id, room_id, type)),
        ]),
      )
      .orderBy('stream_id')
      .orderBy('room_id')
      .orderBy('type'),
);

/** How many bytes all of a user's have together. */
export async function countAccountData(db: Database, userId: string): Promise<number> {
  let bytes = 0;
  for await (const page of sizesOf(db, { userId, after: undefined, upTo: Number.MAX_SAFE_INTEGER })) {
    for (const { size } of page) bytes += size;
  }
  return bytes;
}

/** Forgets all that clients kept for a user. */
export async function deleteAllAccountData(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_data').where('user_id', '=', userId).execute();
}

/** What was passed in sessions of user-interactive authentication. One in which nothing was has no row. */
import { type Selectable, sql } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type SessionState = {
  completed: ReadonlySet<string>;
  /** The registration token of which the session holds one use. */
  registrationToken: string | undefined;
  /** Whether a request is or was carried out with it. */
  isUsed: boolean;
  /** What its requests have said so far, where that is kept. */
  said: JsonObject;
  /** What came of it, where that is told again. */
  result: string | undefined;
};

type Place = { id: string; expires: number };

/**
 * How long a session may hold a use of a registration token while its request is carried out, in milliseconds: where
 * the process dies, the use is free again.
 */
const longestUse = 60_000;

export async function findSessionState(db: Database, id: string): Promise<SessionState> {
  const row = await db
    .selectFrom('interactive_sessions')
    .select(columns)
    .where('session_id', '=', id)
    .executeTakeFirst();
  return asState(row);
}

/** Keeps that a session has passed a stage, if it has, and holds the session until the transaction ends. */
export async function passStage(
  tx: Tx,
  { id, expires }: Place,
  stage: string | undefined,
): Promise<SessionState> {
  const row = await tx
    .insertInto('interactive_sessions')
    .values({ session_id: id, expires_ts: expires, registration_token: null, used_ts: null })
    // Changing nothing locks it on every engine.
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ expires_ts: expires }))
    .returning(columns)
    .executeTakeFirst();
  const state = asState(row);
  if (stage === undefined || state.completed.has(stage)) return state;
  const completed = new Set([...state.completed, stage]);
  await tx
    .updateTable('interactive_sessions')
    .set({ completed: [...completed].join(' ') })
    .where('session_id', '=', id)
    .execute();
  return { ...state, completed };
}

/** Makes a session good for no other request, or for one again where its request has failed. */
export async function setUsed(db: Database, id: string, usedTs: number | null): Promise<void> {
  await db
    .updateTable('interactive_sessions')
    .set({ used_ts: usedTs })
    .where('session_id', '=', id)
    .execute();
}

/** Keeps what the requests of a session have said, as one. */
export async function keepSaid(tx: Tx, { id, expires }: Place, said: JsonObject): Promise<void> {
  const text = JSON.stringify(said);
  await tx
    .insertInto('interactive_sessions')
    .values({ session_id: id, expires_ts: expires, registration_token: null, used_ts: null, said: text })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ said: text }))
    .execute();
}

/** Keeps what came of a session; false where something has already. */
export async function setResult(tx: Tx, id: string, result: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('interactive_sessions')
    .set({ result, said: null })
    .where('session_id', '=', id)
    .where('result', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Holds one use of a registration token for a session. */
export async function holdToken(tx: Tx, { id, expires }: Place, token: string): Promise<void> {
  await tx
    .insertInto('interactive_sessions')
    .values({ session_id: id, expires_ts: expires, registration_token: token, used_ts: null })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ registration_token: token }))
    .execute();
}

/** Holds no use for a session any more: it has become one of the completed ones. */
export async function releaseToken(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('interactive_sessions')
    .set({ registration_token: null })
    .where('session_id', '=', id)
    .execute();
}

/**
 * How many registrations have begun with registration tokens and not ended, by token.
 *
 * @param now in milliseconds since the Unix epoch
 * @param only the one token that is asked about; all without it
 */
export async function countPendingUses(
  db: Database,
  now: number,
  only?: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('interactive_sessions')
    .select(['registration_token', sql<number>`count(*)`.as('uses')])
    .where('registration_token', 'is not', null)
    .$if(only !== undefined, (sessions) => sessions.where('registration_token', '=', only ?? ''))
    .where('expires_ts', '>', now)
    .where(({ eb, or }) => or([eb('used_ts', 'is', null), eb('used_ts', '>', now - longestUse)]))
    .groupBy('registration_token')
    .execute();
  return new Map(rows.map((row) => [row.registration_token ?? '', Number(row.uses)]));
}

export async function deleteExpiredSessions(db: Database, now: number): Promise<void> {
  await db.deleteFrom('interactive_sessions').where('expires_ts', '<=', now).execute();
}

const columns = ['completed', 'registration_token', 'used_ts', 'said', 'result'] as const;
type Row = Pick<Selectable<Schema['interactive_sessions']>, (typeof columns)[number]>;

const asState = (row: Row | undefined): SessionState => ({
  completed: new Set(row?.completed.split(' ').filter(Boolean)),
  registrationToken: row?.registration_token ?? undefined,
  isUsed: typeof row?.used_ts === 'number',
  said: row?.said == null ? {} : readJson(row.said),
  result: row?.result ?? undefined,
});

/** State of user-interactive authentication sessions. A session without a completed stage has no row. */
import { type Selectable, sql } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type SessionState = {
  completed: ReadonlySet<string>;
  /** The registration token of which the session has reserved one use. */
  registrationToken: string | undefined;
  /** Whether a request was carried out, or is running, with it. */
  isUsed: boolean;
  /** Parameters of its requests, if the operation stores them. */
  parameters: JsonObject;
  /** Result of the operation, if it stores one. */
  result: string | undefined;
};

type SessionKey = { id: string; expires: number };

/** How long a running request counts as pending, in milliseconds: its process may have died. */
const maximumDuration = 60_000;

export async function findSessionState(db: Database, id: string): Promise<SessionState> {
  const row = await db
    .selectFrom('interactive_sessions')
    .select(columns)
    .where('session_id', '=', id)
    .executeTakeFirst();
  return asState(row);
}

/** Completes a stage, if given, and locks the session until the transaction ends. */
export async function passStage(
  tx: Tx,
  { id, expires }: SessionKey,
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

/** Marks a session as used, or with null as unused again because its request has failed. */
export async function setUsed(db: Database, id: string, usedTs: number | null): Promise<void> {
  await db
    .updateTable('interactive_sessions')
    .set({ used_ts: usedTs })
    .where('session_id', '=', id)
    .execute();
}

/** Stores the combined parameters of a session's requests. */
export async function setParameters(
  tx: Tx,
  { id, expires }: SessionKey,
  parameters: JsonObject,
): Promise<void> {
  const said = JSON.stringify(parameters);
  await tx
    .insertInto('interactive_sessions')
    .values({ session_id: id, expires_ts: expires, registration_token: null, used_ts: null, said })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ said }))
    .execute();
}

/** Stores the result of a session. Returns false if it has one. */
export async function setResult(tx: Tx, id: string, result: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('interactive_sessions')
    .set({ result, said: null })
    .where('session_id', '=', id)
    .where('result', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Reserves one use of a registration token for a session. */
export async function holdToken(tx: Tx, { id, expires }: SessionKey, token: string): Promise<void> {
  await tx
    .insertInto('interactive_sessions')
    .values({ session_id: id, expires_ts: expires, registration_token: token, used_ts: null })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ registration_token: token }))
    .execute();
}

/** Ends the reservation once the registration is completed. */
export async function releaseToken(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('interactive_sessions')
    .set({ registration_token: null })
    .where('session_id', '=', id)
    .execute();
}

/**
 * Counts the pending registrations by token.
 *
 * @param now in milliseconds since the Unix epoch
 * @param only returns only this token
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
    .where(({ eb, or }) => or([eb('used_ts', 'is', null), eb('used_ts', '>', now - maximumDuration)]))
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
  parameters: row?.said == null ? {} : readJson(row.said),
  result: row?.result ?? undefined,
});

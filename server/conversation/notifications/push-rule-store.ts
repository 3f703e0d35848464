/** What users have changed of their push rules, and whom they ignore. */
import type { Selectable } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { chunks, mapYielding } from '../../platform/concurrency/yield.ts';
import { nextChange } from '../../platform/database/changes.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { noOwnRules, type OwnRules } from './push-rule.ts';

export type OwnRuleset = {
  userId: string;
  rules: OwnRules;
  ignored: readonly string[];
  /** In characters of JSON. */
  length: number;
};

export async function findOwnRules(db: Database, userId: string): Promise<OwnRuleset> {
  const row = await db.selectFrom('push_rules').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ? asOwnRules(row) : { userId, rules: noOwnRules, ignored: [], length: 0 };
}

export async function listOwnRules(db: Database, userIds: readonly string[]): Promise<OwnRuleset[]> {
  const found: OwnRuleset[] = [];
  for (const chunk of chunks([...userIds], 100)) {
    const rows = await db.selectFrom('push_rules').selectAll().where('user_id', 'in', chunk).execute();
    found.push(...(await mapYielding(rows, asOwnRules)));
  }
  return found;
}

/** Keeps what a user has changed, which syncs show from then on. */
export async function setOwnRules(tx: Tx, userId: string, rules: OwnRules): Promise<void> {
  await keep(tx, userId, { rules: JSON.stringify(rules), stream_id: await nextChange(tx) });
}

/** Keeps whom a user ignores: to syncs the rules stay as they were. */
export const setIgnored = (tx: Tx, userId: string, ignored: readonly string[]): Promise<void> =>
  keep(tx, userId, { ignored: JSON.stringify(ignored) });

type Kept = Partial<Pick<Schema['push_rules'], 'rules' | 'ignored' | 'stream_id'>>;

async function keep(tx: Tx, userId: string, kept: Kept): Promise<void> {
  const { version } = await tx
    .updateTable('push_rule_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .returning('version')
    .executeTakeFirstOrThrow();
  const nothing = { rules: JSON.stringify(noOwnRules), ignored: '[]', stream_id: 0 };
  await tx
    .insertInto('push_rules')
    .values({ user_id: userId, ...nothing, ...kept, version })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...kept, version }))
    .execute();
}

/** Whose rules were changed after so many changes of any, with the number of each: none is ever missed. */
export async function listChangedRules(
  db: Database,
  after: number,
): Promise<{ userId: string; version: number }[]> {
  const { rows } = await selectChanged(db, { after });
  return rows.map(({ user_id: userId, version }) => ({ userId, version }));
}

const selectChanged = builtOnce((db, { after }: { after: number }) =>
  db.selectFrom('push_rules').select(['user_id', 'version']).where('version', '>', after).orderBy('version'),
);

/** Whether a user's rules were changed after a place in the order of changes, up to another. */
export async function wereRulesChanged(
  db: Database,
  { userId, after, upTo }: { userId: string; after: number; upTo: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('push_rules')
    .select('stream_id')
    .where('user_id', '=', userId)
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * From a place on, a user is notified in exactly these rooms of nothing but what is written down for them alone; an
 * empty name is all rooms.
 */
export async function setApart(
  tx: Tx,
  userId: string,
  rooms: ReadonlySet<string>,
  place: number,
): Promise<void> {
  const before = await tx
    .selectFrom('push_apart')
    .select(['room_id', 'up_to_place'])
    .where('user_id', '=', userId)
    .execute();
  for (const { room_id, up_to_place } of before) {
    if (up_to_place === null || rooms.has(room_id)) continue;
    await tx
      .updateTable('push_apart')
      .set({ from_place: place, up_to_place: null })
      .where('user_id', '=', userId)
      .where('room_id', '=', room_id)
      .execute();
  }
  const active = new Set(before.filter((row) => row.up_to_place !== null).map((row) => row.room_id));
  for (const room_id of rooms) {
    if (active.has(room_id)) continue;
    await tx
      .insertInto('push_apart')
      .values({ user_id: userId, room_id, from_place: 0, up_to_place: place })
      .onConflict((conflict) => conflict.columns(['user_id', 'room_id']).doUpdateSet({ up_to_place: place }))
      .execute();
  }
}

const asOwnRules = (row: Selectable<Schema['push_rules']>): OwnRuleset => ({
  userId: row.user_id,
  rules: readJson(row.rules) as OwnRules,
  ignored: readJson(row.ignored) as string[],
  length: row.rules.length + row.ignored.length,
});

/** Own push rules and ignored users. */
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
  /** Characters of JSON. */
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

export async function setOwnRules(tx: Tx, userId: string, rules: OwnRules): Promise<void> {
  await save(tx, userId, { rules: JSON.stringify(rules), stream_id: await nextChange(tx) });
}

/** Doesn't count as a change of the rules for `/sync`. */
export const setIgnored = (tx: Tx, userId: string, ignored: readonly string[]): Promise<void> =>
  save(tx, userId, { ignored: JSON.stringify(ignored) });

type RuleChange = Partial<Pick<Schema['push_rules'], 'rules' | 'ignored' | 'stream_id'>>;

async function save(tx: Tx, userId: string, change: RuleChange): Promise<void> {
  const { version } = await tx
    .updateTable('push_rule_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .returning('version')
    .executeTakeFirstOrThrow();
  const nothing = { rules: JSON.stringify(noOwnRules), ignored: '[]', stream_id: 0 };
  await tx
    .insertInto('push_rules')
    .values({ user_id: userId, ...nothing, ...change, version })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...change, version }))
    .execute();
}

/** Returns users whose rules changed after a version of all rules; never misses one. */
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

/** Whether the rules changed between two stream positions. */
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

/** Sets `push_apart`: the rooms in which only `own_notifications` count, from a stream position on. */
export async function setApart(
  tx: Tx,
  userId: string,
  rooms: ReadonlySet<string>,
  position: number,
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
      .set({ from_place: position, up_to_place: null })
      .where('user_id', '=', userId)
      .where('room_id', '=', room_id)
      .execute();
  }
  const active = new Set(before.filter((row) => row.up_to_place !== null).map((row) => row.room_id));
  for (const room_id of rooms) {
    if (active.has(room_id)) continue;
    await tx
      .insertInto('push_apart')
      .values({ user_id: userId, room_id, from_place: 0, up_to_place: position })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'room_id']).doUpdateSet({ up_to_place: position }),
      )
      .execute();
  }
}

const asOwnRules = (row: Selectable<Schema['push_rules']>): OwnRuleset => ({
  userId: row.user_id,
  rules: readJson(row.rules) as OwnRules,
  ignored: readJson(row.ignored) as string[],
  length: row.rules.length + row.ignored.length,
});

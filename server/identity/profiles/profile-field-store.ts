/** What users say of themselves beside name and picture. */
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** A user's fields, by name; their values are JSON. */
export async function listProfileFields(db: Database, userId: string): Promise<Map<string, unknown>> {
  const rows = await db
    .selectFrom('profile_fields')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
  return new Map(rows.map(({ name, value }) => [name, readJson(value) as unknown]));
}

export async function setProfileField(tx: Tx, userId: string, name: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await tx
    .insertInto('profile_fields')
    .values({ user_id: userId, name, value: json })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value: json }))
    .execute();
}

/** Takes one field away, or all of them. */
export async function deleteProfileFields(db: Database, userId: string, name?: string): Promise<void> {
  let fields = db.deleteFrom('profile_fields').where('user_id', '=', userId);
  if (name !== undefined) fields = fields.where('name', '=', name);
  await fields.execute();
}

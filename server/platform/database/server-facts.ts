/** Properties of this server that are stored with its data. */
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Database } from './schema.ts';

type FactName =
  | 'server_name'
  | 'local_administrator'
  | 'background_updates'
  | 'first_sample_data'
  | 'search_index_place';

export async function readFact(db: Database, name: FactName): Promise<string | undefined> {
  const row = await db.selectFrom('server_facts').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function writeFact(db: Database, name: FactName, value: string): Promise<void> {
  await db
    .insertInto('server_facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/**
 * Stores the server name with the data, because all IDs in it contain that name.
 *
 * @throws ConfigurationError if the data has another server name
 */
export async function checkServerName(db: Database, serverName: string): Promise<void> {
  const known = (await readFact(db, 'server_name')) ?? (await nameData(db, serverName));
  if (known === serverName) return;
  throw new ConfigurationError(
    'server_name',
    `the data belongs to '${known}', not '${serverName}'`,
    `set it to '${known}' or use another data directory`,
  );
}

/** Returns the stored name: of two servers that start at the same time, one stores it. */
async function nameData(db: Database, serverName: string): Promise<string | undefined> {
  await db
    .insertInto('server_facts')
    .values({ name: 'server_name', value: serverName })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return readFact(db, 'server_name');
}

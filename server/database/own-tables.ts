/** Whether what a database has in it is a homeserver's: nobody else's is touched. */
import { ConfigurationError } from '../config/configuration-error.ts';
import { migrationNames } from './migrations.ts';

export type Found = {
  /** Where a homeserver keeps its own, but for those that extensions bring. */
  tables: readonly string[];
  /** The rows of the list of migrations, if there is one. */
  migrations: readonly { name?: unknown }[];
};

export const migrationList = 'kysely_migration';

/** What the first migration makes, in this order, and the list: no other is there before that one is in the list. */
const beginning = ['users', 'devices', 'access_tokens', 'login_tokens', 'server_facts'];
const lists = [migrationList, `${migrationList}_lock`];
/** Whether somebody could have kept something in a table: the migrations themselves have a row in one of theirs. */
export const isOfData = (table: string) => !lists.includes(table);

/**
 * Whose the tables are: nobody's where there are none. Those that are begun are a homeserver's if none of them has a row.
 * The tables are looked up before the migrations: whoever makes them meanwhile does both at once.
 */
export function ownerOf({ tables, migrations }: Found): 'nobody' | 'homeserver' | 'begun' | 'others' {
  const [first] = migrationNames;
  if (migrations.some(({ name }) => name === first)) return 'homeserver';
  const others = tables.filter(isOfData);
  if (migrations.length > 0 || others.some((name) => !beginning.includes(name))) return 'others';
  return others.length > 0 ? 'begun' : 'nobody';
}

/** @param setting what names the database */
export const othersDatabase = (setting: string, what: string, wayOut: string) =>
  new ConfigurationError(setting, `${what} is not a homeserver's: it has tables of another program`, wayOut);

/** Nothing is lost with it: there is nothing else in it, and nothing in these tables. */
export const begunDatabase = (wayOut: string) =>
  new ConfigurationError(
    'database',
    'a first start of an earlier build was killed while it made this database, and nothing was kept in it yet',
    wayOut,
  );

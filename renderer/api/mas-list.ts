import { type Static, type TSchema, Type } from 'typebox';
import { fits } from '../../shared/fits.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { getList, isExpected, type UnexpectedEntry } from './lenient.ts';

const perPage = 100;
const WithId = Type.Object({ id: Type.String() });

export type MasEntry<Schema extends TSchema> = { id: string; attributes: Static<Schema> };

/** Returns a whole list of MAS's, in the order of creation. @throws NoSuchEndpoint where its release has no such list */
export async function masList<Schema extends TSchema>(
  { mas }: Server,
  path: string,
  schema: Schema,
  filter: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<(MasEntry<Schema> | UnexpectedEntry)[]> {
  if (!mas) throw new NoSuchEndpoint();
  const entry = Type.Object({ id: Type.String(), attributes: schema });
  const all: (MasEntry<Schema> | UnexpectedEntry)[] = [];
  const seen = new Set<string>();
  const query = new URLSearchParams({ 'page[first]': String(perPage) });
  for (const [name, value] of Object.entries(filter)) query.set(`filter[${name}]`, value);
  while (true) {
    const { rows } = await getList(mas, entry, 'data', `${path}?${query}`, { signal });
    all.push(...(rows as typeof all));
    const last = rows.at(-1);
    const cursor = last && (isExpected(last) ? last : last.source);
    // What can't be gone on from, or leads back, ends the list.
    if (rows.length < perPage || !fits(WithId, cursor) || seen.has(cursor.id)) return all;
    seen.add(cursor.id);
    query.set('page[after]', cursor.id);
  }
}

const Named = Type.Object({ username: Type.String() });

/** Returns the user IDs of the active accounts that may request admin rights. */
export async function masAdministrators(server: Server, signal: AbortSignal): Promise<string[]> {
  const filter = { admin: 'true', status: 'active' };
  const accounts = await masList(server, '/users', Named, filter, signal);
  return accounts
    .filter(isExpected)
    .map(({ attributes: { username } }) => `@${username}:${serverName(server.connection)}`);
}

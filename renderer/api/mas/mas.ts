/** Accounts in Matrix Authentication Service (MAS), by its admin API, which uses IDs of its own. */
import { type Static, type TSchema, Type } from 'typebox';
import { Nullable } from '../../../shared/api/common.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import { body, type Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { getList, isExpected, type UnexpectedEntry } from '../lenient.ts';

const time = Type.Optional(Nullable(Type.String({ description: 'ISO 8601' })));

const Account = Type.Object({
  data: Type.Object({
    id: Type.String(),
    attributes: Type.Object({ admin: Type.Boolean(), locked_at: time, deactivated_at: time }),
  }),
});

/** `admin`: may request admin rights when signing in. */
export type MasAccount = { id: string; admin: boolean; locked: boolean; deactivated: boolean };

const accountOf = ({ data: { id, attributes } }: Static<typeof Account>): MasAccount => ({
  id,
  admin: attributes.admin,
  locked: Boolean(attributes.locked_at),
  deactivated: Boolean(attributes.deactivated_at),
});

const segment = encodeURIComponent;

/** Returns null if MAS has no such account, as for application service users; undefined without access to MAS. */
export async function masAccount(
  { mas }: Server,
  userId: string,
  signal?: AbortSignal,
): Promise<MasAccount | null | undefined> {
  const username = userId.slice(1, userId.indexOf(':'));
  try {
    const path = `/users/by-username/${segment(username)}`;
    return mas && accountOf(await mas.get(Account, path, { signal }));
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

const masOf = ({ mas }: Server) => {
  if (!mas) throw new NoSuchEndpoint();
  return mas;
};

/** @throws ConnectionFailure also if MAS replies without the expected change */
async function changeAccount(
  server: Server,
  account: MasAccount,
  change: string,
  expected: Partial<MasAccount>,
  value: Record<string, boolean> = {},
): Promise<void> {
  const path = `/users/${segment(account.id)}/${change}`;
  const options = { body: body(Type.Unknown(), value), idempotent: true } as const;
  const changed = accountOf(await masOf(server).send('POST', Account, path, options));
  for (const name of Object.keys(expected) as (keyof MasAccount)[]) {
    if (changed[name] !== expected[name]) {
      throw new ConnectionFailure(
        'unexpected_reply',
        /*i18n*/ "The authentication service didn't make this change. Check its version and its log.",
      );
    }
  }
}

export const lockMasAccount = (server: Server, account: MasAccount, locked: boolean) =>
  changeAccount(server, account, locked ? 'lock' : 'unlock', { locked });

export const deactivateMasAccount = (server: Server, account: MasAccount, erase: boolean) =>
  changeAccount(server, account, 'deactivate', { deactivated: true }, { skip_erase: !erase });

export const reactivateMasAccount = (server: Server, account: MasAccount) =>
  changeAccount(server, account, 'reactivate', { deactivated: false });

export const setMasAdmin = (server: Server, account: MasAccount, admin: boolean) =>
  changeAccount(server, account, 'set-admin', { admin }, { admin });

const Password = Type.Object({ password: Type.String() });

export const setMasPassword = (server: Server, { id }: Pick<MasAccount, 'id'>, password: string) =>
  masOf(server).send('POST', Type.Unknown(), `/users/${segment(id)}/set-password`, {
    body: body(Password, { password }),
    idempotent: true,
  });

const NewAccount = Type.Object({ username: Type.String() });

/** Creates an account; MAS creates the user on the homeserver. */
export const createMasAccount = async (server: Server, username: string): Promise<MasAccount> =>
  accountOf(await masOf(server).send('POST', Account, '/users', { body: body(NewAccount, { username }) }));

const NewEmail = Type.Object({ user_id: Type.String(), email: Type.String() });

export const addMasEmail = (server: Server, { id }: Pick<MasAccount, 'id'>, email: string) =>
  masOf(server).send('POST', Type.Unknown(), '/user-emails', {
    body: body(NewEmail, { user_id: id, email }),
  });

const SiteConfig = Type.Object({ password_login_enabled: Type.Boolean() });

/**
 * Whether MAS has password login; true if it doesn't say. Undefined if MAS no longer accepts the session at its admin
 * API.
 */
export const hasMasPasswords = (server: Server): Promise<boolean | undefined> =>
  masOf(server)
    .get(SiteConfig, '/site-config')
    .then(
      ({ password_login_enabled }) => password_login_enabled,
      ({ code }: ConnectionFailure) =>
        code === 'bad_credentials' || code === 'not_administrator' ? undefined : true,
    );

const perPage = 100;
const WithId = Type.Object({ id: Type.String() });

type MasEntry<Schema extends TSchema> = { id: string; attributes: Static<Schema> };

/**
 * Returns a whole list, in order of creation.
 *
 * @throws NoSuchEndpoint if the MAS release has no such list
 */
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
    // An unusable or repeated cursor ends the list.
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

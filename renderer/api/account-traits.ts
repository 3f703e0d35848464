/** Finds server admins, users of application services, and bots among accounts. */
import { queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { masAdministrators } from './mas/mas.ts';
import { type User, userQuery } from './user.ts';

export type AccountTraits = {
  admins: ReadonlySet<string>;
  /** Users of application services. */
  services: ReadonlySet<string>;
  bots: ReadonlySet<string>;
  /**
   * Not known of some candidates: everything after a failure, `services` of too many, or `bots` as well if the server
   * can't filter.
   */
  unchecked?: 'all' | 'services' | 'bots' | undefined;
};

/** More accounts aren't loaded one by one. */
const maxSingleRequests = 200;
const atOnce = 6;
const maxAdmins = 500;
const botsAtOnce = 1000;

const Bots = Type.Object({
  users: Type.Array(
    Type.Object({ name: Type.String(), user_type: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
  ),
  next_token: Type.Optional(Type.String()),
});

const Admins = Type.Object({
  users: Type.Array(
    Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Integer()]) }),
  ),
});

/**
 * Returns the traits of these accounts. Lists of users don't have all of them, so up to 200 accounts are loaded one by
 * one. For more, returns all admins, or those on the first page if the server can't filter, all bots if it can, and the
 * other traits of accounts that are loaded already.
 */
export const accountTraitsQuery = (server: Server, candidates: ReadonlySet<string | undefined>) => {
  const ownServer = `:${serverName(server.connection)}`;
  const userIds = [...candidates].filter((userId) => userId?.endsWith(ownServer)) as string[];
  const isFew = userIds.length <= maxSingleRequests;
  return queryOptions({
    queryKey: [server.id, 'account-traits', isFew ? userIds : userIds.length],
    queryFn: async ({ client, signal }): Promise<AccountTraits> => {
      const load = async (userId: string): Promise<User | 'absent' | undefined> => {
        signal.throwIfAborted();
        return client
          .fetchQuery(userQuery(server, userId))
          .catch((error) => (error instanceof NotFound ? 'absent' : undefined));
      };
      const users = isFew
        ? await pLimit(atOnce).map(userIds, load)
        : userIds.map((userId) => client.getQueryData(userQuery(server, userId).queryKey));
      const known = users.filter((user): user is User => typeof user === 'object');
      const namesOf = (has: (user: User) => unknown) => new Set(known.filter(has).map(({ name }) => name));
      const allBots = isFew ? undefined : await botsOf(server, signal);
      const left = isFew ? 'all' : allBots ? 'services' : 'bots';
      return {
        admins: isFew ? namesOf(({ admin }) => admin) : new Set(await allAdmins(server, signal)),
        services: namesOf(({ appservice_id: id }) => id),
        bots: allBots ?? namesOf(({ user_type: type }) => type === 'bot'),
        unchecked: users.every((user) => user !== undefined) ? undefined : left,
      };
    },
    // Sets can't be shared, and another admin may have changed it since.
    structuralSharing: false,
    gcTime: 0,
  });
};

async function allAdmins(server: Server, signal: AbortSignal): Promise<string[]> {
  if (server.mas) return masAdministrators(server, signal);
  const path = `/v2/users?admins=true&guests=false&limit=${maxAdmins}`;
  const { users } = await server.get(Admins, path, { signal });
  return users.flatMap(({ name, admin }) => (admin ? name : []));
}

/** Returns all bots, or undefined if the server ignores the filter. */
async function botsOf(server: Server, signal: AbortSignal): Promise<Set<string> | undefined> {
  const bots = new Set<string>();
  // Excludes accounts without a type.
  const path = `/v2/users?not_user_type=&guests=false&limit=${botsAtOnce}`;
  for (let next: string | undefined = '0'; next !== undefined; ) {
    const page: Static<typeof Bots> = await server.get(Bots, `${path}&from=${next}`, { signal });
    if (page.users.some(({ user_type: type }) => typeof type !== 'string')) return undefined;
    for (const { name, user_type: type } of page.users) if (type === 'bot') bots.add(name);
    next = page.next_token;
  }
  return bots;
}

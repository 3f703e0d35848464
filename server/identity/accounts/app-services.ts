/** Matrix specification, application service API. */
import type { AppServiceConfig, Namespace } from '../../platform/config/app-services.ts';
import { serverOf } from '../../platform/core/identifiers.ts';
import { MatrixError, unknownError } from '../../platform/core/matrix-error.ts';
import { wholePattern } from '../../platform/core/patterns.ts';
import { tokenHash } from '../../platform/core/secrets.ts';

export type AppService = {
  id: string;
  /** The service's own user, from `sender_localpart`. */
  senderUserId: string;
  /** Whether a user ID is in its namespaces: it may act as this user. */
  matchesUser(userId: string): boolean;
  /** Whether a user ID is in an exclusive namespace. */
  reservesUser(userId: string): boolean;
  matchesAlias(alias: string): boolean;
  /** Whether an alias is in an exclusive namespace. */
  reservesAlias(alias: string): boolean;
  matchesRoom(roomId: string): boolean;
  config: AppServiceConfig;
};

export type AppServices = {
  all: readonly AppService[];
  findByToken(token: string): AppService | undefined;
  /** @throws MatrixError 400 `M_EXCLUSIVE` for a user ID that is reserved by another application service than `by` */
  refuseReserved(userId: string, by?: AppService): void;
  /**
   * Checks that a user may create an alias.
   *
   * @param by ID of the application service that acts as the user
   * @throws MatrixError 400 `M_EXCLUSIVE` for an alias that is reserved by an application service for other users, or
   *   that isn't in the namespaces of `by`
   */
  refuseReservedAlias(alias: string, userId: string, by?: string): void;
};

export async function createAppServices(
  configs: AppServiceConfig[],
  serverName: string,
): Promise<AppServices> {
  const services = await Promise.all(configs.map((config) => createAppService(config, serverName)));
  // By hash, so that the duration of a lookup reveals nothing about a token.
  const byToken = new Map(configs.map(({ token }, index) => [tokenHash(token), services[index]]));
  return {
    all: services,
    findByToken: (token) => (byToken.size === 0 ? undefined : byToken.get(tokenHash(token))),
    refuseReserved(userId, by) {
      if (services.some((service) => service !== by && service.reservesUser(userId))) {
        throw new MatrixError(400, 'M_EXCLUSIVE', 'This user ID is reserved by an application service.');
      }
    },
    refuseReservedAlias(alias, userId, by) {
      if (by !== undefined && !services.some(({ id, matchesAlias }) => id === by && matchesAlias(alias))) {
        const sentence = 'This application service has not reserved this kind of alias.';
        throw new MatrixError(400, 'M_EXCLUSIVE', sentence);
      }
      if (services.some((service) => service.reservesAlias(alias) && !service.matchesUser(userId))) {
        throw new MatrixError(400, 'M_EXCLUSIVE', 'This alias is reserved by an application service.');
      }
    },
  };
}

async function createAppService(config: AppServiceConfig, serverName: string): Promise<AppService> {
  const { id, senderUserId } = config;
  const users = await compile(config.userNamespaces);
  const aliases = await compile(config.aliasNamespaces);
  const rooms = await compile(config.roomNamespaces);
  // A namespace contains local users only.
  const isLocal = (userId: string) => serverOf(userId) === serverName;
  return {
    id,
    senderUserId,
    matchesUser: (userId) =>
      userId === senderUserId || (isLocal(userId) && users.some(({ matches }) => matches(userId))),
    reservesUser: (userId) =>
      userId === senderUserId ||
      (isLocal(userId) && users.some(({ matches, exclusive }) => exclusive && matches(userId))),
    matchesAlias: (alias) => aliases.some(({ matches }) => matches(alias)),
    reservesAlias: (alias) => aliases.some(({ matches, exclusive }) => exclusive && matches(alias)),
    matchesRoom: (roomId) => rooms.some(({ matches }) => matches(roomId)),
    config,
  };
}

const compile = (namespaces: readonly Namespace[]) =>
  Promise.all(
    namespaces.map(async ({ pattern, exclusive }) => ({ matches: await wholePattern(pattern), exclusive })),
  );

/** Returns the `instance_id` of a network. Matrix specification, "Third-party Networks". */
export const instanceId = (appServiceId: string, networkId: string) => `${appServiceId}|${networkId}`;

/** Parses an `instance_id`. @throws MatrixError 400 if the application service doesn't exist */
export function parseInstanceId(
  { all }: Pick<AppServices, 'all'>,
  instance: string,
): { appServiceId: string; networkId: string } {
  const service = all.find(({ id }) => instance.startsWith(instanceId(id, '')));
  if (!service) throw unknownError(`Invalid ID '${instance}'`);
  return { appServiceId: service.id, networkId: instance.slice(instanceId(service.id, '').length) };
}

/** Matrix specification, application service API. */
import type { AppServiceConfig, Namespace } from '../../platform/config/app-services.ts';
import { serverOf } from '../../platform/core/identifiers.ts';
import { MatrixError, unknownError } from '../../platform/core/matrix-error.ts';
import { wholePattern } from '../../platform/core/patterns.ts';
import { tokenHash } from '../../platform/core/secrets.ts';

export type AppService = {
  id: string;
  /** The user that the service is when it speaks for itself. */
  senderUserId: string;
  /** Whether what it does is never too much, as its registration file may say. */
  unlimited: boolean;
  /** Whether it may act as this user, who need not exist. */
  isFor(userId: string): boolean;
  /** Whether nobody else may have this user. */
  reserves(userId: string): boolean;
  /** Whether it is for this alias, which need not exist. */
  isForAlias(alias: string): boolean;
  /** Whether nobody else may make this alias. */
  reservesAlias(alias: string): boolean;
  isForRoom(roomId: string): boolean;
  config: AppServiceConfig;
};

export type AppServices = {
  all: readonly AppService[];
  findByToken(token: string): AppService | undefined;
  /**
   * Refuses a user that is reserved for an application service, other than the one that is given.
   *
   * @throws MatrixError 400 `M_EXCLUSIVE`
   */
  refuseReserved(userId: string, by?: AppService): void;
  /**
   * Refuses an alias that is reserved for an application service, unless it is for the user who wants it; and to an
   * application service every alias that it is not for.
   *
   * @param by the application service that acts as the user, by its identifier
   * @throws MatrixError 400 `M_EXCLUSIVE`
   */
  refuseReservedAlias(alias: string, userId: string, by?: string): void;
};

/** Makes the application services from their configuration. */
export async function createAppServices(
  configs: AppServiceConfig[],
  serverName: string,
): Promise<AppServices> {
  const services = await Promise.all(configs.map((config) => createAppService(config, serverName)));
  // Looked up by digest, so that the time it takes tells nothing of a token.
  const byToken = new Map(configs.map(({ token }, index) => [tokenHash(token), services[index]]));
  return {
    all: services,
    findByToken: (token) => (byToken.size === 0 ? undefined : byToken.get(tokenHash(token))),
    refuseReserved(userId, by) {
      if (services.some((service) => service !== by && service.reserves(userId))) {
        throw new MatrixError(400, 'M_EXCLUSIVE', 'This user ID is reserved by an application service.');
      }
    },
    refuseReservedAlias(alias, userId, by) {
      if (by !== undefined && !services.some(({ id, isForAlias }) => id === by && isForAlias(alias))) {
        const sentence = 'This application service has not reserved this kind of alias.';
        throw new MatrixError(400, 'M_EXCLUSIVE', sentence);
      }
      if (services.some((service) => service.reservesAlias(alias) && !service.isFor(userId))) {
        throw new MatrixError(400, 'M_EXCLUSIVE', 'This alias is reserved by an application service.');
      }
    },
  };
}

async function createAppService(config: AppServiceConfig, serverName: string): Promise<AppService> {
  const { id, senderUserId, rateLimited } = config;
  const patterns = await compile(config.userNamespaces);
  const aliases = await compile(config.aliasNamespaces);
  const rooms = await compile(config.roomNamespaces);
  // Namespaces are for users of this server only.
  const isOwn = (userId: string) => serverOf(userId) === serverName;
  return {
    id,
    senderUserId,
    unlimited: !rateLimited,
    isFor: (userId) =>
      userId === senderUserId || (isOwn(userId) && patterns.some(({ matches }) => matches(userId))),
    reserves: (userId) =>
      userId === senderUserId ||
      (isOwn(userId) && patterns.some(({ matches, exclusive }) => exclusive && matches(userId))),
    isForAlias: (alias) => aliases.some(({ matches }) => matches(alias)),
    reservesAlias: (alias) => aliases.some(({ matches, exclusive }) => exclusive && matches(alias)),
    isForRoom: (roomId) => rooms.some(({ matches }) => matches(roomId)),
    config,
  };
}

const compile = (namespaces: readonly Namespace[]) =>
  Promise.all(
    namespaces.map(async ({ pattern, exclusive }) => ({ matches: await wholePattern(pattern), exclusive })),
  );

/** Which network of which application service a client means. Matrix specification, "Third-party Networks". */

/** What clients call a network of a service by: its `instance_id`. */
export const instanceId = (appServiceId: string, networkId: string) => `${appServiceId}|${networkId}`;

/** @throws MatrixError 400 for what names no network of a service that this server has */
export function networkIn(
  { all }: Pick<AppServices, 'all'>,
  instance: string,
): { appServiceId: string; networkId: string } {
  const service = all.find(({ id }) => instance.startsWith(instanceId(id, '')));
  if (!service) throw unknownError(`Invalid ID '${instance}'`);
  return { appServiceId: service.id, networkId: instance.slice(instanceId(service.id, '').length) };
}

/** Application services: programs that act for many users. Interface: "Authentication" 4. */
import type { AppServiceConfig } from '../config/app-services.ts';
import { serverOf } from '../core/identifiers.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { wholePattern } from '../core/patterns.ts';
import { tokenHash } from '../core/secrets.ts';

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
};

export type AppServices = {
  findByToken(token: string): AppService | undefined;
  /**
   * Refuses a user that is reserved for an application service, other than the one that is given.
   *
   * @throws MatrixError 400 `M_EXCLUSIVE`
   */
  refuseReserved(userId: string, by?: AppService): void;
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
    findByToken: (token) => (byToken.size === 0 ? undefined : byToken.get(tokenHash(token))),
    refuseReserved(userId, by) {
      if (services.some((service) => service !== by && service.reserves(userId))) {
        throw new MatrixError(400, 'M_EXCLUSIVE', 'This user ID is reserved by an application service.');
      }
    },
  };
}

async function createAppService(
  { id, senderUserId, rateLimited, userNamespaces }: AppServiceConfig,
  serverName: string,
): Promise<AppService> {
  const patterns = await Promise.all(
    userNamespaces.map(async ({ pattern, exclusive }) => ({
      matches: await wholePattern(pattern),
      exclusive,
    })),
  );
  // Namespaces are for users of this server only. Interface: "Changes by release", v1.71.0.
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
  };
}

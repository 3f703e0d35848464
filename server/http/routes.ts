/** How a file of routes is written and what it is handed. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Dialect } from '../../shared/dialect.ts';
import type { Services } from '../services.ts';

/** Who sent a request: the owner of its access token. */
export type Requester = {
  userId: string;
  deviceId: string | null;
  admin: boolean;
  /** May read, and not write. */
  suspended: boolean;
  /** What the user sends reaches nobody, and the user is not told. */
  shadowBanned: boolean;
  /** The administrator who acts as the user; undefined for the user. */
  actsFor: string | undefined;
};

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The routes of one resource, mounted once for each dialect. */
export type Routes = (app: App, services: Services, dialect: Dialect) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs, except on routes with `config: { access: 'anyone' }`. */
    requester: Requester;
    dialect: Dialect;
  }
  interface FastifyContextConfig {
    /** Who may call the route; on the client API a signed-in user where it is left out. */
    access?: 'anyone';
    /** Whether who is locked may call the route, too. */
    evenIfLocked?: boolean;
    /** What the request counts as, where doing it too often is refused. */
    limit?: 'loginAddress' | 'registration' | 'message' | 'reports';
  }
}

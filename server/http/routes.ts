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
import type { Requester } from '../core/requester.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The routes of one resource, which work with `context`; mounted once for each dialect. */
export type Routes<Context> = (app: App, context: Context, dialect: Dialect) => void;

/** What stands under one prefix. */
export type Mount<Context> = {
  prefix: string;
  routes: Routes<Context>[];
  /** Whether only server administrators may call them. */
  administrators?: boolean;
};

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

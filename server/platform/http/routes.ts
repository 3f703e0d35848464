/** How a file of routes is written and what it is handed. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Dialect } from '../../../shared/dialect.ts';
import type { Requester } from '../core/requester.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The routes of one resource, which work with `context`. */
export type Routes<Context> = (app: App, context: Context) => void;

/** What stands under one prefix. */
export type Mount<Context> = {
  prefix: string;
  /** The prefix under which an older version of the interface has the same. */
  older?: string;
  routes: Routes<Context>[];
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs, except on routes for anyone. */
    requester: Requester;
    /** The one in which it was called. */
    dialect: Dialect;
    /** Whether the caller is an administrator, where the route's policy exempts those. */
    exempt: boolean;
    /** Whether the caller is shadow-banned, where the route's policy has the call carried out unseen. */
    unseen: boolean;
  }
}

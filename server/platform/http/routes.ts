/** Types of the app and its routes. */
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

/** Registers the routes of one resource. */
export type Routes<Context> = (app: App, context: Context) => void;

/** The routes under one path prefix. */
export type Mount<Context> = {
  prefix: string;
  /** The prefix under which an older version of the API has the same routes. */
  older?: string;
  routes: Routes<Context>[];
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs, except on routes for anyone. */
    requester: Requester;
    dialect: Dialect;
    /** Whether the caller is a server admin and the route's policy exempts those. */
    exempt: boolean;
    /** Whether the caller is shadow-banned and the route's policy says `unseen`. */
    unseen: boolean;
  }
}

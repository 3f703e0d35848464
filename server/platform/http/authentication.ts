/** Who is calling. */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { MatrixError } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';
import { tokenHash } from '../core/secrets.ts';

/** What a request shows of who sends it. */
export type Credentials = {
  token: string;
  /** By which the token is looked up. */
  hash: string;
  /** Whether the token came in the query. */
  inQuery: boolean;
  /** The user whom an application service acts as. */
  userId: string | undefined;
  /** The device of that user as which it acts. */
  deviceId: string | undefined;
  /** Gives the network that it comes from: most tokens are known, and nobody asks then. */
  network(): string;
  /** Whether who is locked may call, too. */
  evenIfLocked: boolean;
};

/** Says whose a token is: at once, where that is known. @throws MatrixError 401 and 403 */
export type Identify = (credentials: Credentials) => Caller | Promise<Caller>;

const missingToken = (sentence: string) => new MatrixError(401, 'M_MISSING_TOKEN', sentence);

/** A token, its digest, and whether it came in the query. */
export type PresentedToken = { token: string; hash: string; inQuery: boolean };

/** By connection, the last header with a token that came on it: the next one is mostly the same. */
const shownLast = new WeakMap<Socket, { header: string; presented: PresentedToken }>();

/**
 * The token that a request carries: in its Authorization header, or in the query as older clients send it.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function presentedToken(request: FastifyRequest): PresentedToken {
  const header = request.headers.authorization;
  if (header !== undefined) {
    if ('access_token' in (request.query as object)) {
      throw missingToken('Mixing Authorization headers and `access_token` query parameters.');
    }
    const last = shownLast.get(request.raw.socket);
    if (last?.header === header) return last.presented;
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    if (!token) throw missingToken('Invalid Authorization header.');
    const presented = { token, hash: tokenHash(token), inQuery: false };
    shownLast.set(request.raw.socket, { header, presented });
    return presented;
  }
  const { access_token: token } = request.query as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') throw missingToken('Missing access token');
  return { token, hash: tokenHash(token), inQuery: true };
}

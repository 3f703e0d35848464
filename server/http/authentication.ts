/** Who is calling. Interface: "Authentication". */
import type { FastifyRequest } from 'fastify';
import { MatrixError } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';

/** What a request shows of who sends it. */
export type Credentials = {
  token: string;
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

/** A token and whether it came in the query. */
export type PresentedToken = { token: string; inQuery: boolean };

/**
 * The token that a request carries: in its Authorization header, or in the query as older clients send it.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function presentedToken(request: FastifyRequest): PresentedToken {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    if (!token) throw missingToken('Invalid Authorization header.');
    return { token, inQuery: false };
  }
  const { access_token: token } = request.query as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') throw missingToken('Missing access token');
  return { token, inQuery: true };
}

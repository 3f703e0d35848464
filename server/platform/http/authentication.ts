/** Access tokens in requests. */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { MatrixError } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';
import { tokenHash } from '../core/secrets.ts';

export type Credentials = {
  token: string;
  /** The token's hash, by which it is looked up. */
  hash: string;
  inQuery: boolean;
  /** The user that an application service masquerades as. */
  userId: string | undefined;
  /** That user's device. */
  deviceId: string | undefined;
  /** Returns the network of the caller's address. Needed only for unknown tokens. */
  network(): string;
  /** Also admits locked users. */
  evenIfLocked: boolean;
};

/**
 * Returns the owner of a token; see `identity/sessions/identify.ts`.
 *
 * @throws MatrixError 401, 403, 429
 */
export type Identify = (credentials: Credentials) => Promise<Caller>;

const missingToken = (sentence: string) => new MatrixError(401, 'M_MISSING_TOKEN', sentence);

export type PresentedToken = { token: string; hash: string; inQuery: boolean };

/** The last Authorization header of each connection: the next one is usually the same. */
const lastHeader = new WeakMap<Socket, { header: string; presented: PresentedToken }>();

/**
 * Returns the token in the Authorization header, or in the query, where older clients send it.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function presentedToken(request: FastifyRequest): PresentedToken {
  const header = request.headers.authorization;
  if (header !== undefined) {
    if ('access_token' in (request.query as object)) {
      throw missingToken('Mixing Authorization headers and `access_token` query parameters.');
    }
    const last = lastHeader.get(request.raw.socket);
    if (last?.header === header) return last.presented;
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    if (!token) throw missingToken('Invalid Authorization header.');
    const presented = { token, hash: tokenHash(token), inQuery: false };
    lastHeader.set(request.raw.socket, { header, presented });
    return presented;
  }
  const { access_token: token } = request.query as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') throw missingToken('Missing access token');
  return { token, hash: tokenHash(token), inQuery: true };
}

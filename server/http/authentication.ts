/** Who is calling. Interface: "Authentication". */
import type { FastifyRequest } from 'fastify';
import { tokenHash } from '../auth/identifiers.ts';
import type { Services } from '../services.ts';
import { findSession } from '../storage/sessions.ts';
import { forbidden, MatrixError } from './matrix-error.ts';

/** Finds out who sends a request, unless anyone may. */
export const authenticate = (services: Services) => async (request: FastifyRequest) => {
  if (request.routeOptions.config.access === 'anyone') return;
  const token = accessToken(request);
  const session = await findSession(services.db, tokenHash(token));
  if (!session) {
    throw new MatrixError(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.', { soft_logout: false });
  }
  request.requester = session;
};

/** The same, and refuses whoever is not a server administrator. */
export const authenticateAdministrator = (services: Services) => {
  const authenticateUser = authenticate(services);
  return async (request: FastifyRequest) => {
    await authenticateUser(request);
    if (request.routeOptions.config.access !== 'anyone' && !request.requester.admin) {
      throw forbidden('You are not a server admin');
    }
  };
};

const missingToken = (sentence: string) => new MatrixError(401, 'M_MISSING_TOKEN', sentence);

/**
 * The token that a request carries: in its Authorization header, or in the query as older clients send it.
 *
 * @throws MatrixError 401 `M_MISSING_TOKEN`
 */
export function accessToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    if (!token) throw missingToken('Invalid Authorization header.');
    return token;
  }
  const { access_token: token } = request.query as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') throw missingToken('Missing access token');
  return token;
}

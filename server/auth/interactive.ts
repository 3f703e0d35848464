/** User-interactive authentication: the stages that a request has to pass before it is carried out. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { MatrixError } from '../http/matrix-error.ts';

/** How long a session may take, in milliseconds. */
const sessionLifetime = 48 * 60 * 60 * 1000;
/** Starting a session needs nothing, so their number is bounded: the oldest goes first. */
const maximumSessions = 10_000;

/** What a request says of its authentication. */
export type Auth = { type?: string | undefined; session?: string | undefined } | undefined;

export function createInteractiveSessions(clock: Clock) {
  const sessions = new Map<string, number>();

  function begin(): string {
    const session = randomBytes(18).toString('base64url');
    sessions.set(session, clock.now() + sessionLifetime);
    const [oldest] = sessions.keys();
    if (sessions.size > maximumSessions && oldest !== undefined) sessions.delete(oldest);
    return session;
  }

  return {
    /**
     * Returns once the request has passed its one stage, which asks for nothing (`m.login.dummy`).
     *
     * @throws MatrixError 401 that lists the stages, 400 for an unknown session
     */
    passDummyStage(auth: Auth): void {
      if (auth?.session !== undefined && !(clock.now() < (sessions.get(auth.session) ?? 0))) {
        throw new MatrixError(400, 'M_UNKNOWN', `Unknown session ID: ${auth.session}`);
      }
      if (auth?.type === 'm.login.dummy') {
        if (auth.session !== undefined) sessions.delete(auth.session);
        return;
      }
      throw new MatrixError(401, 'M_UNAUTHORIZED', 'More authentication is needed', {
        session: auth?.session ?? begin(),
        flows: [{ stages: ['m.login.dummy'] }],
        params: {},
      });
    },
  };
}

export type InteractiveSessions = ReturnType<typeof createInteractiveSessions>;

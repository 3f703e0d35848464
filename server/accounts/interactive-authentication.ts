/**
 * User-interactive authentication: the stages that a request has to pass before it is carried out. Matrix
 * specification, client-server API, section of that name.
 */
import { randomBytes } from 'node:crypto';
import type { InteractiveAuth } from '../../shared/api/interactive-auth.ts';
import type { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';

/** How long a session may take, in milliseconds. */
export const sessionLifetime = 48 * 60 * 60 * 1000;
/** Starting a session needs nothing, so their number is bounded: the oldest goes first. */
export const maximumSessions = 10_000;

export type Stage = 'm.login.dummy' | 'm.login.password' | 'm.login.registration_token';

export type InteractiveSession = {
  readonly id: string;
  readonly expires: number;
  /** What the session is for; what was passed for one thing counts for nothing else. */
  readonly operation: string;
  readonly completed: Set<Stage>;
  /** The registration token of which this session holds one use. */
  registrationToken?: string;
};

/** Makes sure that a stage is passed, or throws a MatrixError. */
export type StageCheck = (auth: InteractiveAuth, session: InteractiveSession) => Promise<void>;

export type InteractiveRequest = {
  auth: InteractiveAuth | undefined;
  operation: string;
  /** Every stage that has to be passed, in the order in which clients are to pass them. */
  stages: ReadonlyMap<Stage, StageCheck>;
};

export function createInteractiveSessions(sessions: Cache<string, InteractiveSession>, clock: Clock) {
  /** Sessions whose request is being carried out: nobody can use them, and what they hold is held. */
  const inUse = new Set<InteractiveSession>();

  function begin(operation: string): InteractiveSession {
    const id = randomBytes(18).toString('base64url');
    const expires = clock.now() + sessionLifetime;
    const session: InteractiveSession = { id, expires, operation, completed: new Set() };
    sessions.set(id, session);
    return session;
  }

  function resume(id: string, operation: string): InteractiveSession {
    const session = sessions.get(id);
    if (!session || clock.now() >= session.expires)
      throw new MatrixError(400, 'M_UNKNOWN', `Unknown session ID: ${id}`);
    if (session.operation !== operation) {
      const sentence = 'Requested operation has changed during the UI authentication session.';
      throw new MatrixError(403, 'M_UNKNOWN', sentence);
    }
    return session;
  }

  return {
    /**
     * Carries a request out once it has passed every stage. A session is good for one request that
     * succeeds.
     *
     * @throws MatrixError 401 that lists the stages, 400 for an unknown session, 403 for one that was begun
     *   for something else; and what the request throws
     */
    async authenticate<Result>(
      { auth, operation, stages }: InteractiveRequest,
      carryOut: (session: InteractiveSession) => Promise<Result>,
    ): Promise<Result> {
      const session = auth?.session === undefined ? begin(operation) : resume(auth.session, operation);
      const failure = await tryStage(auth, session, stages);
      // While a check took its time, another request may have used the session.
      if (failure || !isPassed(session, stages) || !sessions.delete(session.id)) {
        throw stagesLeft(session, stages, failure);
      }
      inUse.add(session);
      try {
        return await carryOut(session);
      } catch (error) {
        sessions.set(session.id, session);
        throw error;
      } finally {
        inUse.delete(session);
      }
    },

    /** How many registrations have begun with each registration token and not ended. */
    pendingUses(): ReadonlyMap<string, number> {
      const uses = new Map<string, number>();
      for (const { registrationToken: token, expires } of [...sessions.values(), ...inUse]) {
        if (token !== undefined && clock.now() < expires) uses.set(token, (uses.get(token) ?? 0) + 1);
      }
      return uses;
    },
  };
}

export type InteractiveSessions = ReturnType<typeof createInteractiveSessions>;

/** Passes the stage that a request brings, if it does; gives why it could not. */
async function tryStage(
  auth: InteractiveAuth | undefined,
  session: InteractiveSession,
  stages: ReadonlyMap<Stage, StageCheck>,
): Promise<MatrixError | undefined> {
  const stage = auth?.type as Stage | undefined;
  const check = stage && stages.get(stage);
  if (!auth || !stage || !check) return undefined;
  try {
    await check(auth, session);
    session.completed.add(stage);
    return undefined;
  } catch (error) {
    // Another status than this is about the request itself, not about who sent it.
    if (error instanceof MatrixError && error.status === 401) return error;
    throw error;
  }
}

const isPassed = ({ completed }: InteractiveSession, stages: ReadonlyMap<Stage, StageCheck>) =>
  [...stages.keys()].every((stage) => completed.has(stage));

function stagesLeft(
  session: InteractiveSession,
  stages: ReadonlyMap<Stage, StageCheck>,
  failure: MatrixError | undefined,
): MatrixError {
  const errcode = failure?.errcode ?? 'M_UNAUTHORIZED';
  return new MatrixError(401, errcode, failure?.message ?? 'More authentication is needed', {
    session: session.id,
    flows: [{ stages: [...stages.keys()] }],
    params: {},
    completed: [...session.completed],
  });
}

/**
 * Matrix specification, client-server API, "User-Interactive Authentication API".
 *
 * Anyone can start a session, so a new one stores nothing: its signed ID contains the operation and the expiry. Only
 * completed stages are in the database.
 */
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { InteractiveAuth } from '../../../shared/api/login.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError, StagesLeft } from '../../platform/core/matrix-error.ts';
import { createSeals } from '../../platform/core/secrets.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  deleteExpiredSessions,
  findSessionState,
  keepSaid,
  passStage,
  type SessionState,
  setUsed,
} from './interactive-session-store.ts';

/** In milliseconds. */
const sessionLifetime = 48 * 60 * 60 * 1000;

export type Stage = 'm.login.dummy' | 'm.login.password' | 'm.login.registration_token';

export type InteractiveSession = { readonly id: string; readonly expires: number } & Pick<
  SessionState,
  'completed' | 'registrationToken' | 'said' | 'result'
>;

/** Throws a MatrixError if the stage isn't passed. */
export type StageCheck = (auth: InteractiveAuth, session: InteractiveSession) => Promise<void>;

export type InteractiveRequest = {
  auth: InteractiveAuth | undefined;
  operation: string;
  /** Another operation for which the session may have been started: the same, before its parameters were known. */
  begunAs?: string;
  /** All are required, in this order. */
  stages: ReadonlyMap<Stage, StageCheck>;
  /**
   * Returns parameters to store for later requests of the session. The session can then be used repeatedly, and the
   * operation stores its result with `setResult`.
   */
  keep?: () => Promise<JsonObject>;
};

/** @param secret shared by the processes of a server */
export function createInteractiveSessions(db: Kysely<Schema>, clock: Clock, secret: string) {
  const seals = createSeals(secret);

  /** The ID contains the operation: stages completed for one don't count for another. */
  function begin(operation: string): InteractiveSession {
    const expires = clock.now() + sessionLifetime;
    const id = seals.issue(expires, operation);
    return { id, expires, completed: new Set(), registrationToken: undefined, said: {}, result: undefined };
  }

  async function resume(
    id: string,
    { operation, begunAs = operation, keep }: Pick<InteractiveRequest, 'operation' | 'begunAs' | 'keep'>,
  ): Promise<InteractiveSession> {
    const given = seals.open(id);
    if (!given || clock.now() >= given.expires) throw unknownSession(id);
    const state = await findSessionState(db, id);
    if (state.isUsed && !keep) throw unknownSession(id);
    if (!given.isAbout(operation) && !given.isAbout(begunAs)) {
      const sentence = 'Requested operation has changed during the UI authentication session.';
      throw new MatrixError(403, 'M_UNKNOWN', sentence);
    }
    return { id, expires: given.expires, ...state };
  }

  /** Stores a completed stage; with the last one, marks the session as used. */
  async function note(
    session: InteractiveSession,
    passed: Stage | undefined,
    { stages, keep }: InteractiveRequest,
  ): Promise<InteractiveSession> {
    return inTransaction(db, async (tx) => {
      const now = clock.now();
      await deleteExpiredSessions(tx, now);
      const state = await passStage(tx, session, passed);
      // While a check took its time, another request may have used the session.
      if (state.isUsed && !keep) throw unknownSession(session.id);
      if (isPassed(state, stages) && !keep) await setUsed(tx, session.id, now);
      return { ...session, ...state };
    });
  }

  async function keepAll(session: InteractiveSession, said: JsonObject): Promise<void> {
    if (Object.keys(said).length === 0) return;
    await inTransaction(db, async (tx) => {
      await deleteExpiredSessions(tx, clock.now());
      await keepSaid(tx, session, said);
    });
  }

  return {
    /** Returns the stored parameters and result of a session, if it exists. */
    async recall(id: string | undefined): Promise<Pick<SessionState, 'said' | 'result'>> {
      return id === undefined ? { said: {}, result: undefined } : findSessionState(db, id);
    },

    /**
     * Carries out a request that has passed every stage. A session authorizes one successful request.
     *
     * @throws MatrixError 401 with the stages, 400 for an unknown session, 403 for one of another operation;
     *   whatever `carryOut` throws
     */
    async authenticate<Result>(
      request: InteractiveRequest,
      carryOut: (session: InteractiveSession) => Promise<Result>,
    ): Promise<Result> {
      const { auth, operation, stages, keep } = request;
      const begun = auth?.session === undefined ? begin(operation) : await resume(auth.session, request);
      const { passed, failure } = await tryStage(auth, begun, stages);
      const session =
        !failure && (passed || isPassed(begun, stages)) ? await note(begun, passed, request) : begun;
      if (failure || !isPassed(session, stages)) {
        if (keep) await keepAll(session, await keep());
        throw stagesLeft(session, stages, failure);
      }
      if (keep) return carryOut(session);
      try {
        return await carryOut(session);
      } catch (error) {
        await setUsed(db, session.id, null);
        throw error;
      }
    },
  };
}

export type InteractiveSessions = ReturnType<typeof createInteractiveSessions>;

export const unknownSession = (id: string) => new MatrixError(400, 'M_UNKNOWN', `Unknown session ID: ${id}`);

/** Checks the stage in a request, if there is one. */
async function tryStage(
  auth: InteractiveAuth | undefined,
  session: InteractiveSession,
  stages: ReadonlyMap<Stage, StageCheck>,
): Promise<{ passed?: Stage; failure?: MatrixError }> {
  const stage = auth?.type as Stage | undefined;
  const check = stage && stages.get(stage);
  if (!auth || !stage || !check) return {};
  try {
    await check(auth, session);
    return { passed: stage };
  } catch (error) {
    // Other statuses are about the request, not the authentication.
    if (error instanceof MatrixError && error.status === 401) return { failure: error };
    throw error;
  }
}

const isPassed = (
  { completed }: Pick<SessionState, 'completed'>,
  stages: ReadonlyMap<Stage, StageCheck>,
): boolean => [...stages.keys()].every((stage) => completed.has(stage));

function stagesLeft(
  session: InteractiveSession,
  stages: ReadonlyMap<Stage, StageCheck>,
  failure: MatrixError | undefined,
): MatrixError {
  const completed = [...session.completed];
  const left = { session: session.id, flows: [{ stages: [...stages.keys()] }], params: {} };
  if (failure) return new MatrixError(401, failure.errcode, failure.message, { ...left, completed });
  return new StagesLeft({ ...left, ...(completed.length > 0 && { completed }) });
}

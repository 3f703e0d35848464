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
import { createSignedTokens } from '../../platform/core/secrets.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  deleteExpiredSessions,
  findSessionState,
  passStage,
  type SessionState,
  setParameters,
  setUsed,
} from './interactive-session-store.ts';

/** In milliseconds. */
const sessionLifetime = 48 * 60 * 60 * 1000;

export type Stage = 'm.login.dummy' | 'm.login.password' | 'm.login.registration_token';

export type InteractiveSession = { readonly id: string; readonly expires: number } & Pick<
  SessionState,
  'completed' | 'registrationToken' | 'parameters' | 'result'
>;

/** Throws a MatrixError if the stage isn't passed. */
export type StageCheck = (auth: InteractiveAuth, session: InteractiveSession) => Promise<void>;

type InteractiveRequest = {
  auth: InteractiveAuth | undefined;
  operation: string;
  /** The operation without parameters, for which the session may have been started. */
  initialOperation?: string;
  /** All are required, in this order. */
  stages: ReadonlyMap<Stage, StageCheck>;
  /**
   * Returns parameters to store for later requests of the session. The session can then be used repeatedly, and the
   * operation stores its result with `setResult`.
   */
  parametersToStore?: () => Promise<JsonObject>;
};

/** @param secret shared by the processes of a server */
export function createInteractiveSessions(db: Kysely<Schema>, clock: Clock, secret: string) {
  const tokens = createSignedTokens(secret);

  /** The ID contains the operation: stages completed for one don't count for another. */
  function startSession(operation: string): InteractiveSession {
    const expires = clock.now() + sessionLifetime;
    const id = tokens.issue(expires, operation);
    const state = {
      completed: new Set<string>(),
      registrationToken: undefined,
      parameters: {},
      result: undefined,
    };
    return { id, expires, ...state };
  }

  async function resumeSession(
    id: string,
    { operation, initialOperation = operation, parametersToStore }: InteractiveRequest,
  ): Promise<InteractiveSession> {
    const claims = tokens.verify(id);
    if (!claims || clock.now() >= claims.expires) throw unknownSession(id);
    const state = await findSessionState(db, id);
    if (state.isUsed && !parametersToStore) throw unknownSession(id);
    if (!claims.isFor(operation) && !claims.isFor(initialOperation)) {
      const sentence = 'Requested operation has changed during the UI authentication session.';
      throw new MatrixError(403, 'M_UNKNOWN', sentence);
    }
    return { id, expires: claims.expires, ...state };
  }

  /** Stores a completed stage; with the last one, marks the session as used. */
  async function recordStage(
    session: InteractiveSession,
    passed: Stage | undefined,
    { stages, parametersToStore }: InteractiveRequest,
  ): Promise<InteractiveSession> {
    return inTransaction(db, async (tx) => {
      const now = clock.now();
      await deleteExpiredSessions(tx, now);
      const state = await passStage(tx, session, passed);
      // During the check, another request may have used the session.
      if (state.isUsed && !parametersToStore) throw unknownSession(session.id);
      if (isPassed(state, stages) && !parametersToStore) await setUsed(tx, session.id, now);
      return { ...session, ...state };
    });
  }

  async function storeParameters(session: InteractiveSession, parameters: JsonObject): Promise<void> {
    if (Object.keys(parameters).length === 0) return;
    await inTransaction(db, async (tx) => {
      await deleteExpiredSessions(tx, clock.now());
      await setParameters(tx, session, parameters);
    });
  }

  return {
    /** Returns the stored parameters and result of a session, if it exists. */
    async findStored(id: string | undefined): Promise<Pick<SessionState, 'parameters' | 'result'>> {
      return id === undefined ? { parameters: {}, result: undefined } : findSessionState(db, id);
    },

    /**
     * Carries out a request if it has passed every stage. A session authorizes one successful request.
     *
     * @throws MatrixError 401 with the stages, 400 for an unknown session, 403 for one of another operation; errors of
     *   `carryOut`
     */
    async authenticate<Result>(
      request: InteractiveRequest,
      carryOut: (session: InteractiveSession) => Promise<Result>,
    ): Promise<Result> {
      const { auth, operation, stages, parametersToStore } = request;
      const id = auth?.session;
      let session = id === undefined ? startSession(operation) : await resumeSession(id, request);
      const { passed, failure } = await tryStage(auth, session, stages);
      if (!failure && (passed || isPassed(session, stages))) {
        session = await recordStage(session, passed, request);
      }
      if (failure || !isPassed(session, stages)) {
        if (parametersToStore) await storeParameters(session, await parametersToStore());
        throw stagesLeft(session, stages, failure);
      }
      if (parametersToStore) return carryOut(session);
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

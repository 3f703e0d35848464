/**
 * User-interactive authentication: the stages that a request has to pass before it is carried out. Matrix
 * specification, client-server API, section of that name.
 *
 * Beginning a session needs nothing, so it keeps nothing: its identifier itself says what it is for and how long it
 * is good. What was passed in it stands in the database, for whichever process is asked next.
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

/** How long a session may take, in milliseconds. */
const sessionLifetime = 48 * 60 * 60 * 1000;

export type Stage = 'm.login.dummy' | 'm.login.password' | 'm.login.registration_token';

export type InteractiveSession = { readonly id: string; readonly expires: number } & Pick<
  SessionState,
  'completed' | 'registrationToken' | 'said' | 'result'
>;

/** Makes sure that a stage is passed, or throws a MatrixError. */
export type StageCheck = (auth: InteractiveAuth, session: InteractiveSession) => Promise<void>;

export type InteractiveRequest = {
  auth: InteractiveAuth | undefined;
  operation: string;
  /** What its session may have been begun for as well: the same, before it was said what exactly. */
  begunAs?: string;
  /** Every stage that has to be passed, in the order in which clients are to pass them. */
  stages: ReadonlyMap<Stage, StageCheck>;
  /**
   * What later requests of the session need not say again; with it, the session is good for the same request any
   * number of times, and whoever carries that out keeps what came of it (`setResult`).
   */
  keep?: () => Promise<JsonObject>;
};

/** @param secret shared by the processes of a server */
export function createInteractiveSessions(db: Kysely<Schema>, clock: Clock, secret: string) {
  const seals = createSeals(secret);

  /** What a session is for is part of its identifier: what was passed for one thing counts for nothing else. */
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

  /** Keeps that a stage was passed; where it was the last one the session is taken, for one request. */
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

  /** So that the next request of the session need not say it. */
  async function keepAll(session: InteractiveSession, said: JsonObject): Promise<void> {
    if (Object.keys(said).length === 0) return;
    await inTransaction(db, async (tx) => {
      await deleteExpiredSessions(tx, clock.now());
      await keepSaid(tx, session, said);
    });
  }

  return {
    /** What earlier requests of a session have said, and what came of it; nothing of a session that isn't one. */
    async recall(id: string | undefined): Promise<Pick<SessionState, 'said' | 'result'>> {
      return id === undefined ? { said: {}, result: undefined } : findSessionState(db, id);
    },

    /**
     * Carries a request out once it has passed every stage. A session is good for one request that
     * succeeds.
     *
     * @throws MatrixError 401 that lists the stages, 400 for an unknown session, 403 for one that was begun
     *   for something else; and what the request throws
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

/** Passes the stage that a request brings, if it does; gives why it could not. */
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
    // Another status than this is about the request itself, not about who sent it.
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

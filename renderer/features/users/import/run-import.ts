/** Sends the rows of an import, a few at a time. */
import { i18n } from '@lingui/core';
import pLimit, { type LimitFunction } from 'p-limit';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import { isLost, pause } from '../../../actions/jobs/job.ts';
import { withRetries } from '../../../actions/jobs/with-retries.ts';
import { newPassword } from '../../../actions/new-password.ts';
import { checkNameAvailable, createUser, type NewUser, updateUser } from '../../../api/user-changes.ts';
import type { Server } from '../../../transport/server.ts';
import { refusalSentence } from '../create/user-name.ts';
import type { Conflict, ImportRow } from './import-rows.ts';

/** `skipped`: the user was created by another admin in the meantime. */
export type RowResult = {
  outcome: 'created' | 'updated' | 'skipped' | 'failed';
  /** Generated here. Also after a lost response, as the user may exist with it. Never stored. */
  password?: string;
  /** Why it failed, translated. */
  error?: string;
};

export type PlannedRow = ImportRow & { does: 'create' | 'update' };

type RunOptions = {
  conflict: Conflict;
  /** Whether users without a password get a generated one. */
  hasPasswords: boolean;
  /** A password that an earlier try sent. */
  passwordOf: (row: ImportRow) => string | undefined;
  signal: AbortSignal;
  onResult: (row: ImportRow, result: RowResult) => void;
};

/** More at a time would slow the server down: hashing passwords is expensive. */
const concurrency = 4;
/** After lost requests, the concurrency grows by one after this many answers. */
const answersPerStep = 20;
/** Gives up after this many requests in a row without a response. */
const maxLost = 12;
const defaultRateLimitWait = 2_000;
const maxRateLimitWait = 60_000;

/** Runs until all rows are sent or `signal` aborts. Returns why it stopped early, translated. */
export async function runImport(
  server: Server,
  rows: readonly PlannedRow[],
  { conflict, hasPasswords, passwordOf, signal, onResult }: RunOptions,
): Promise<string | undefined> {
  let lostInRow = 0;
  let stoppedBy: string | undefined;
  let pausedUntil = 0;
  const isRunning = () => !signal.aborted && stoppedBy === undefined;
  const limit = pLimit(concurrency);
  let answers = 0;
  const patient = withRetries(limited(server, limit), {
    answered() {
      lostInRow = 0;
      if (++answers % answersPerStep === 0) limit.concurrency = Math.min(concurrency, limit.concurrency + 1);
    },
    lost() {
      // A server that takes too long still works on the lost requests.
      limit.concurrency = 1;
      return ++lostInRow < maxLost && isRunning();
    },
    isWanted: isRunning,
  });

  function failed(error: unknown): RowResult {
    const sentence = refusalSentence(error as Error);
    if (endsRun(error) || (isLost(error) && lostInRow >= maxLost)) stoppedBy ??= sentence;
    return { outcome: 'failed', error: sentence };
  }

  async function send(row: PlannedRow): Promise<RowResult> {
    if (row.does === 'update') {
      await updateUser(patient, row.userId, fieldsOf(row));
      return { outcome: 'updated' };
    }
    const generated =
      row.password === undefined && hasPasswords ? (passwordOf(row) ?? newPassword()) : undefined;
    const secret = generated !== undefined && { password: generated };
    let isSent = passwordOf(row) !== undefined;
    try {
      // The endpoint updates an existing user, so check first.
      await checkNameAvailable(patient, row.localpart);
      isSent = true;
      await createUser(patient, row.userId, { ...fieldsOf(row), admin: row.admin ?? false, ...secret });
      return { outcome: 'created', ...secret };
    } catch (error) {
      if (isTaken(error) && !isSent && conflict === 'skip') return { outcome: 'skipped' };
      if (isTaken(error) && !isSent && conflict === 'update') {
        await updateUser(patient, row.userId, fieldsOf(row));
        return { outcome: 'updated' };
      }
      if (isTaken(error) && conflict === 'stop') stoppedBy ??= refusalSentence(error as Error);
      if (isRateLimited(error)) throw error;
      if (isTaken(error) && passwordOf(row) !== undefined) {
        return {
          outcome: 'failed',
          error: i18n.t('User exists, probably from the lost request. Check the password.'),
          ...secret,
        };
      }
      return {
        ...failed(error),
        // If only the response was lost, now or in an earlier try, the user exists with this password.
        ...(isSent && (isLost(error) || passwordOf(row) !== undefined) && secret),
      };
    }
  }

  async function sendPatiently(row: PlannedRow) {
    while (isRunning()) {
      await pause(pausedUntil - Date.now());
      if (pausedUntil > Date.now()) continue;
      if (!isRunning()) return;
      try {
        return onResult(row, await send(row));
      } catch (error) {
        if (!isRateLimited(error)) return onResult(row, failed(error));
        const seconds = Number(error.values.seconds ?? 0);
        const wait = seconds > 0 ? seconds * 1000 : defaultRateLimitWait;
        pausedUntil = Date.now() + Math.min(wait, maxRateLimitWait);
      }
    }
  }

  await pLimit(concurrency).map(rows, sendPatiently);
  return stoppedBy;
}

const limited = (server: Server, limit: LimitFunction): Server => ({
  ...server,
  get: (...args) => limit(() => server.get(...args)),
  send: (...args) => limit(() => server.send(...args)),
});

const endsRun = (error: unknown) =>
  error instanceof ConnectionFailure &&
  ['bad_credentials', 'no_such_connection', 'not_administrator'].includes(error.code);

const isTaken = (error: unknown) =>
  error instanceof ConnectionFailure && error.values.errcode === 'M_USER_IN_USE';

const isRateLimited = (error: unknown): error is ConnectionFailure =>
  error instanceof ConnectionFailure && error.code === 'rate_limited';

/** The fields that a row sets. */
function fieldsOf({ displayname, password, admin, email, phone, externalId, userType }: ImportRow) {
  const threepids = [
    ...(email ? [{ medium: 'email', address: email }] : []),
    ...(phone ? [{ medium: 'msisdn', address: phone }] : []),
  ];
  return {
    ...(displayname !== undefined && { displayname }),
    ...(password !== undefined && { password }),
    ...(admin !== undefined && { admin }),
    ...(threepids.length > 0 && { threepids }),
    ...(externalId && {
      external_ids: [{ auth_provider: externalId.provider, external_id: externalId.id }],
    }),
    ...(userType !== undefined && { user_type: userType }),
  } satisfies Partial<NewUser>;
}

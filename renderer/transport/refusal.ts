import { i18n } from '@lingui/core';
import { Type } from 'typebox';
import { ErrorBody } from '../../shared/api/common.ts';
import {
  type Connection,
  ConnectionFailure,
  type IncomingReply,
  isProxyAlone,
  proxyAlone,
} from '../../shared/connection.ts';
import { fits } from '../../shared/fits.ts';
import { truncate } from '../words/clip.ts';
import { longDistance } from '../words/format.ts';

/** The resource doesn't exist. */
export class NotFound extends ConnectionFailure {
  constructor() {
    super('refused', /*i18n*/ 'No longer available. Possibly deleted.');
  }
}

/** The endpoint doesn't exist. */
export class NoSuchEndpoint extends ConnectionFailure {
  constructor() {
    super('refused', /*i18n*/ 'Unknown request. This server may be an older version or different software.');
  }
}

/** Whether the server rejected the request, so that a retry is pointless. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionFailure &&
  ['refused', 'not_administrator'].includes(error.code) &&
  !('error' in error.values);

const temporaryCodes = ['unreachable', 'timeout', 'rate_limited', 'refused', 'unexpected_reply'];

/** Whether a retry may succeed. */
export const isTemporary = (error: Error & Partial<Pick<ConnectionFailure, 'code'>>): boolean =>
  error.code !== undefined && temporaryCodes.includes(error.code) && !isRefusal(error);

const maxErrorLength = 1000;

/** Errors of Matrix Authentication Service. */
const MasErrors = Type.Object({ errors: Type.Array(Type.Object({ title: Type.String() })) });

/** Converts a reply with an error status to a failure with a message for the user. */
export function refusalOf(reply: IncomingReply, { userId }: Connection): ConnectionFailure {
  if (isProxyAlone(reply)) return proxyAlone(reply);
  const { status, body } = reply;
  const { errcode, error, retry_after_ms } = fits(ErrorBody, body)
    ? { ...(body as ErrorBody & { retry_after_ms?: unknown }), error: truncate(body.error, maxErrorLength) }
    : fits(MasErrors, body)
      ? {
          errcode: status === 404 ? 'M_NOT_FOUND' : '',
          error: truncate(body.errors.map(({ title }) => title).join(': '), maxErrorLength),
          retry_after_ms: undefined,
        }
      : { errcode: undefined, error: `HTTP status ${status}`, retry_after_ms: undefined };
  if (status === 401) {
    return new ConnectionFailure('bad_credentials', /*i18n*/ 'Your session has ended. Sign in again.');
  }
  if (status === 403) {
    // Ignores IDs: "@admin:example.org is not in the room".
    const namesAdmin = /\badmin/i.test(error.replaceAll(/[@!#$]\S+/g, ''));
    return namesAdmin || errcode === undefined
      ? new ConnectionFailure('not_administrator', /*i18n*/ "{userId} isn't a server admin.", { userId })
      : new ConnectionFailure('refused', /*i18n*/ 'Not allowed: {said}', { said: error });
  }
  // Unknown endpoints are 404 with another code.
  if (status === 404 && errcode === 'M_NOT_FOUND') return new NotFound();
  if (errcode === 'M_UNRECOGNIZED' || (status === 404 && errcode === undefined)) return new NoSuchEndpoint();
  if (status === 429) {
    const ms = typeof retry_after_ms === 'number' ? retry_after_ms : 0;
    const seconds = Math.min(maxRetrySeconds, Math.max(0, Math.ceil(ms / 1000)));
    return new ConnectionFailure(
      'rate_limited',
      /*i18n*/ 'Rate limited. Retry {when}.',
      retryValues(seconds),
    );
  }
  if (status === 413) {
    return new ConnectionFailure('refused', /*i18n*/ 'Too much data for the server. Send less.');
  }
  // The server's log has no more details on invalid input.
  if (status < 500) {
    return new ConnectionFailure('refused', /*i18n*/ 'Request rejected: {said}', {
      said: error,
      errcode: errcode ?? '',
    });
  }
  return new ConnectionFailure('refused', /*i18n*/ 'Server error: {error}', {
    error,
    errcode: errcode ?? '',
  });
}

/** Returns the seconds until the rate limit ends; 0 without one. */
export const retryAfterSeconds = ({
  code,
  values,
}: Error & Partial<Pick<ConnectionFailure, 'code' | 'values'>>): number =>
  code === 'rate_limited' ? Number(values?.seconds ?? 0) : 0;

/** Browser timers overflow after 24 days. */
const maxRetrySeconds = 7 * 86_400;
/** Returns the values of the rate limit message, in a readable unit. `seconds` is 0 if unknown. */
export function retryValues(seconds: number) {
  let [left, unit] = [seconds, 'second' as Intl.RelativeTimeFormatUnit];
  if (left >= 120) [left, unit] = [left / 60, 'minute'];
  if (left >= 120) [left, unit] = [left / 60, 'hour'];
  if (unit === 'hour' && left >= 48) [left, unit] = [left / 24, 'day'];
  const when = seconds === 0 ? i18n.t('in a moment') : longDistance(Math.ceil(left), unit);
  return { seconds, when };
}

/** Returns the translated message of a failure; a generic one for unexpected errors. */
export function failureSentence(error: Error): string {
  if (!(error instanceof ConnectionFailure)) {
    return i18n.t("Couldn't process the response. If this happens again, report it.");
  }
  const sentence = i18n.t(error.sentence, error.values);
  // 5xx errors are in the server log.
  if (error.code !== 'refused' || error.values.error === undefined) return sentence;
  return i18n.t('{sentence} If this persists, check the server log.', {
    sentence: sentence.replace(/\.?$/, '.'),
  });
}

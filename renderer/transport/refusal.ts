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
import { relativeTimeFormat } from '../words/format.ts';

/** The server has no such thing (any more). */
export class NotFound extends ConnectionFailure {
  constructor() {
    super('refused', /*i18n*/ 'No longer available. Possibly deleted.');
  }
}

/** The server doesn't know the request at all. */
export class NoSuchEndpoint extends ConnectionFailure {
  constructor() {
    super('refused', /*i18n*/ 'Unknown request. This server may be an older version or different software.');
  }
}

/** Whether the server said no, and would again: one that only fails has said nothing yet. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionFailure &&
  ['refused', 'not_administrator'].includes(error.code) &&
  !('error' in error.values);

const passing = ['unreachable', 'timeout', 'rate_limited', 'refused', 'unexpected_reply'];

/** Whether it may be different when it is asked once more. */
export const mayPass = (error: Error & Partial<Pick<ConnectionFailure, 'code'>>): boolean =>
  error.code !== undefined && passing.includes(error.code) && !isRefusal(error);

/** So much of what a server says is shown, in characters. */
const mostSaid = 1000;

/** Errors of Matrix Authentication Service. */
const MasErrors = Type.Object({ errors: Type.Array(Type.Object({ title: Type.String() })) });

/** What a reply with an error status means to the person who asked: a sentence, with the server's own words. */
export function refusalOf(reply: IncomingReply, { userId }: Connection): ConnectionFailure {
  if (isProxyAlone(reply)) return proxyAlone(reply);
  const { status, body } = reply;
  const { errcode, error, retry_after_ms } = fits(ErrorBody, body)
    ? { ...(body as ErrorBody & { retry_after_ms?: unknown }), error: truncate(body.error, mostSaid) }
    : fits(MasErrors, body)
      ? {
          errcode: status === 404 ? 'M_NOT_FOUND' : '',
          error: truncate(body.errors.map(({ title }) => title).join(': '), mostSaid),
          retry_after_ms: undefined,
        }
      : { errcode: undefined, error: `HTTP status ${status}`, retry_after_ms: undefined };
  if (status === 401) {
    return new ConnectionFailure('bad_credentials', /*i18n*/ 'Your session has ended. Sign in again.');
  }
  if (status === 403) {
    // Not where someone is called so: "@admin:example.org is not in the room".
    const isAboutRights = /\badmin/i.test(error.replaceAll(/[@!#$]\S+/g, ''));
    return isAboutRights || errcode === undefined
      ? new ConnectionFailure('not_administrator', /*i18n*/ "{userId} isn't a server admin.", { userId })
      : new ConnectionFailure('refused', /*i18n*/ 'Not allowed: {said}', { said: error });
  }
  // A server without such an endpoint says 404 too, with another code.
  if (status === 404 && errcode === 'M_NOT_FOUND') return new NotFound();
  if (errcode === 'M_UNRECOGNIZED' || (status === 404 && errcode === undefined)) return new NoSuchEndpoint();
  if (status === 429) {
    const ms = typeof retry_after_ms === 'number' ? retry_after_ms : 0;
    const seconds = Math.min(longestWait, Math.max(0, Math.ceil(ms / 1000)));
    return new ConnectionFailure('rate_limited', /*i18n*/ 'Rate limited. Retry {when}.', waitOf(seconds));
  }
  if (status === 413) {
    return new ConnectionFailure('refused', /*i18n*/ 'Too much data for the server. Send less.');
  }
  // What it says of what was sent is all that there is to know, and in nobody's log.
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

/** For how many seconds the server asks to be left alone; 0 where it doesn't. Those of a timeout are over. */
export const askedToWait = ({
  code,
  values,
}: Error & Partial<Pick<ConnectionFailure, 'code' | 'values'>>): number =>
  code === 'rate_limited' ? Number(values?.seconds ?? 0) : 0;

/** In seconds: nobody waits for longer, and no timer of a browser runs for much longer. */
const longestWait = 7 * 86_400;
/** The values of the sentence on a server that asks to wait so many seconds, in a unit that one can use; 0: it doesn't say. */
export function waitOf(seconds: number) {
  let [left, unit] = [seconds, 'second' as Intl.RelativeTimeFormatUnit];
  if (left >= 120) [left, unit] = [left / 60, 'minute'];
  if (left >= 120) [left, unit] = [left / 60, 'hour'];
  if (unit === 'hour' && left >= 48) [left, unit] = [left / 24, 'day'];
  const when =
    seconds === 0 ? i18n.t('in a moment') : relativeTimeFormat('long').format(Math.ceil(left), unit);
  return { seconds, when };
}

/** A failure's own sentence; anything else is the console's fault and gets one too. */
export function failureSentence(error: Error): string {
  if (!(error instanceof ConnectionFailure)) {
    return i18n.t("Couldn't process the response. Retry; if this happens again, report it.");
  }
  const sentence = i18n.t(error.sentence, error.values);
  // The log holds what the server said itself.
  if (error.code !== 'refused' || error.values.error === undefined) return sentence;
  return i18n.t('{sentence} If this persists, check the server log.', {
    sentence: sentence.replace(/\.?$/, '.'),
  });
}

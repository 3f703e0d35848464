import { i18n } from '@lingui/core';
import { ConnectionFailure, type FailureCode } from '../../../shared/connection.ts';
import type { Entry } from '../../transport/host.ts';

/** Removes the sign-in from the address, so that it isn't stored in the history or copied along. */
export const takeEntry = (): Entry => ({ loginToken: takeLoginToken(), response: takeSignInResponse() });

/** Returns the token of a single-use sign-in link, `/console/#login_token=…`. */
function takeLoginToken(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('login_token');
  if (token === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Returns the parameters of a sign-in redirect, `/console/#state=…` or `/console/?sso_state=…`, and removes them. */
function takeSignInResponse(): URLSearchParams | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const isOAuth = fragment.has('state') && (fragment.has('code') || fragment.has('error'));
  if (!isOAuth && !query.has('sso_state')) return undefined;
  history.replaceState(null, '', location.pathname);
  return isOAuth ? fragment : query;
}

/**
 * Returns the message for the sign-in screen after `host.enter` failed. Rethrows everything except a
 * `ConnectionFailure`.
 */
export function entryFailureOf(error: unknown, isLink: boolean): { title: string; text: string } {
  if (!(error instanceof ConnectionFailure)) throw error;
  const text = i18n.t(error.sentence, error.values);
  if (!isLink) return { title: i18n.t(failureTitle[error.code]), text };
  const isUsed = error.code === 'bad_credentials';
  return {
    title: i18n.t('Sign-in link failed'),
    text: isUsed
      ? i18n.t(
          "This single-use link was used or has expired. On the console's computer, run npm run gatehouse -- users sign-in-link for another.",
        )
      : text,
  };
}

export const failureTitle: Record<FailureCode, string> = {
  bad_address: /*i18n*/ 'Invalid address',
  unreachable: /*i18n*/ "Can't reach server",
  unreadable: /*i18n*/ 'Unreadable response',
  timeout: /*i18n*/ 'Timed out',
  not_homeserver: /*i18n*/ 'Not a homeserver',
  speaks_http: /*i18n*/ 'Server uses http',
  speaks_https: /*i18n*/ 'Server uses https',
  bad_credentials: /*i18n*/ 'Not signed in',
  login_type_unsupported: /*i18n*/ 'Different sign-in method required',
  not_administrator: /*i18n*/ 'Not an admin',
  administration_hidden: /*i18n*/ 'Admin API unreachable',
  rate_limited: /*i18n*/ 'Too many attempts',
  refused: /*i18n*/ 'Refused by server',
  unexpected_reply: /*i18n*/ 'Unexpected response',
  cancelled: /*i18n*/ 'Canceled',
  no_such_connection: /*i18n*/ 'Not signed in to this server',
};

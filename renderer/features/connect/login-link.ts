/**
 * The token of a one-time sign-in link, `/console/#login_token=…`, taken out of the address at once so
 * that it is neither in the history nor in what the person copies.
 */
export function takeLoginToken(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('login_token');
  if (token === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** What a sign-in page has led back with, `/console/#state=…` or `/console/?sso_state=…`, taken out of the address at once. */
export function takeSignInAnswer(): URLSearchParams | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const isOAuth = fragment.has('state') && (fragment.has('code') || fragment.has('error'));
  if (!isOAuth && !query.has('sso_state')) return undefined;
  history.replaceState(null, '', location.pathname);
  return isOAuth ? fragment : query;
}

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

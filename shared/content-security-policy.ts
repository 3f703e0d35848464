/**
 * The console's content security policy. Hostile event content that gets past the sanitizer can't run or load anything.
 *
 * @param connect where the page may send requests: in a browser to any server that the user connects to; in the shell
 *   only to itself, because the main process sends requests
 */
export const contentSecurityPolicy = (connect: "'self'" | 'http: https:'): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${connect}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

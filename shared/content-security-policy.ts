/**
 * What the console's page may load and run. Event content is hostile: whatever slips through the sanitizer
 * can neither run nor load anything.
 *
 * @param connect where the page itself may send requests: in a browser to any server, because a person
 *   connects it to servers of their own; in the shell nowhere, since the main process sends them
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

import type { FailureCode } from '../../../shared/connection.ts';

/** What went wrong, in a few words; the failure's own message says the rest. */
export const failureTitle: Record<FailureCode, string> = {
  bad_address: /*i18n*/ 'Not an address',
  unreachable: /*i18n*/ 'Nothing answers there',
  unreadable: /*i18n*/ "Reply can't be read",
  timeout: /*i18n*/ 'No answer in time',
  not_homeserver: /*i18n*/ 'Not a homeserver',
  speaks_http: /*i18n*/ 'This server speaks http',
  speaks_https: /*i18n*/ 'This server speaks https',
  bad_credentials: /*i18n*/ 'Not signed in',
  login_type_unsupported: /*i18n*/ 'Another way to sign in is needed',
  not_administrator: /*i18n*/ 'Not an administrator',
  administration_hidden: /*i18n*/ 'The administration is not reachable',
  rate_limited: /*i18n*/ 'Too many tries',
  refused: /*i18n*/ 'The server refused',
  unexpected_reply: /*i18n*/ 'A reply of another shape',
  cancelled: /*i18n*/ 'Cancelled',
  no_such_connection: /*i18n*/ 'Not signed in to this server',
};

import type { FailureCode } from '../../../shared/connection.ts';

/** What went wrong, in a few words; the failure's own message says the rest. */
export const failureTitle: Record<FailureCode, string> = {
  bad_address: 'Not an address',
  unreachable: 'Nothing answers there',
  timeout: 'No answer in time',
  not_homeserver: 'Not a homeserver',
  bad_credentials: 'Not signed in',
  login_type_unsupported: 'Another way to sign in is needed',
  not_administrator: 'Not an administrator',
  administration_hidden: 'The administration is not reachable',
  rate_limited: 'Too many tries',
  refused: 'The server refused',
  unexpected_reply: 'A reply of another shape',
  cancelled: 'Cancelled',
  no_such_connection: 'Not signed in to this server',
};

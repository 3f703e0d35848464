/** What new users can be called. */
import { i18n } from '@lingui/core';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import type { Offered } from '../../../api/offered.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';

/** Whether new users can be given passwords. MAS may let nobody sign in with one. */
export const takesPasswords = (server: Server, offered: Offered | undefined): boolean =>
  !server.mas || offered?.has('resetPassword') !== false;

/** The name, also where the whole identifier was pasted. */
export function localpartOf(text: string, server: string): string {
  const name = text.trim().replace(/^@/, '');
  return name.endsWith(`:${server}`) ? name.slice(0, -server.length - 1) : name;
}

/** As in the specification of identifiers: 255 bytes at most with the server's name. */
const longest = 255;

/** Why a name can be nobody's; undefined where it can be. Matrix specification, "User identifiers". */
export function misspelling(localpart: string, server: string): string | undefined {
  if (!/^[a-z0-9._=/+-]*$/.test(localpart)) {
    return i18n.t('Only a–z, digits and . _ = - / +');
  }
  if (localpart.split('/').some((part) => part === '.' || part === '..')) {
    return i18n.t("“.” and “..” aren't allowed between slashes.");
  }
  const most = longest - `@:${server}`.length;
  return localpart.length > most ? i18n.t('At most {most} characters.', { most }) : undefined;
}

/** The server's refusal of a name, as a person can act on it. */
export function whyNot(error: Error): string {
  switch (error instanceof ConnectionFailure && error.values.errcode) {
    case 'M_USER_IN_USE':
      return i18n.t('This name is or was taken. Choose another.');
    case 'M_EXCLUSIVE':
      return i18n.t('Reserved for an application service. Choose another name.');
    default:
      return failureSentence(error);
  }
}

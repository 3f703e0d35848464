import { i18n } from '@lingui/core';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import type { Offered } from '../../../api/supported-endpoints.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';

/** True if new users can have passwords. MAS may have password login disabled. */
export const takesPasswords = (server: Server, offered: Offered | undefined): boolean =>
  !server.mas || offered?.has('resetPassword') !== false;

/** Returns the localpart of a name or full user ID. */
export function localpartOf(text: string, server: string): string {
  const name = text.trim().replace(/^@/, '');
  return name.endsWith(`:${server}`) ? name.slice(0, -server.length - 1) : name;
}

/** In bytes, of a whole user ID. Matrix specification, "User identifiers". */
const maxLength = 255;

/** Returns why a localpart is invalid, or undefined. Matrix specification, "User identifiers". */
export function invalidNameReason(localpart: string, server: string): string | undefined {
  if (!/^[a-z0-9._=/+-]*$/.test(localpart)) {
    return i18n.t('Only a–z, digits and . _ = - / +');
  }
  if (localpart.split('/').some((part) => part === '.' || part === '..')) {
    return i18n.t("“.” and “..” aren't allowed between slashes.");
  }
  const most = maxLength - `@:${server}`.length;
  return localpart.length > most ? i18n.t('At most {most} characters.', { most }) : undefined;
}

/** Describes why the server refused to create a user. */
export function refusalSentence(error: Error): string {
  switch (error instanceof ConnectionFailure && error.values.errcode) {
    case 'M_USER_IN_USE':
      return i18n.t('This name is or was taken. Choose another.');
    case 'M_EXCLUSIVE':
      return i18n.t('Reserved for an application service. Choose another name.');
    default:
      return failureSentence(error);
  }
}

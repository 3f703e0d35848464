import { IconTicket, IconTicketOff, IconTrash } from '@tabler/icons-react';
import { deleteToken, setRevoked } from '../../api/registration-tokens.ts';
import { action } from '../action.ts';
import type { ItemOf } from '../subject.ts';
import { switched } from './switched.ts';

const ofToken = { kind: 'token', group: 'server', needs: [], changes: ['registration-tokens'] } as const;

const revokes = (revoked: boolean) =>
  switched<ItemOf<'token'>>(revoked, async (server, { mas }, to) => mas && setRevoked(server, mas, to));

const revoked = /*i18n*/ '{count, plural, one {{name} revoked} other {# tokens revoked}}';
const restored = /*i18n*/ '{count, plural, one {{name} restored} other {# tokens restored}}';

/** MAS revokes tokens, homeservers delete them. */
export const registrationTokens = [
  action<'token'>({
    ...ofToken,
    id: 'delete-token',
    label: /*i18n*/ '{count, plural, one {Delete token} other {Delete # tokens}}',
    hint: /*i18n*/ 'Ends registration with this token',
    icon: IconTrash,
    key: 'Delete',
    usual: true,
    accepts: ({ mas }) => !mas,
    destructive: true,
    words: {
      will: /*i18n*/ "No one can register with {count, plural, one {{name}} other {# tokens}}. Existing accounts aren't affected.",
      lost: /*i18n*/ "This can't be undone.",
      doing: /*i18n*/ '{count, plural, one {Deleting {name}} other {Deleting # tokens}}',
      done: /*i18n*/ '{count, plural, one {{name} deleted} other {# tokens deleted}}',
    },
    async run({ server }, { token }) {
      // Who deletes tokens has their screen open, and this with it.
      await deleteToken(server, token);
      return { detail: token };
    },
  }),
  action<'token'>({
    ...ofToken,
    id: 'revoke-token',
    label: /*i18n*/ '{count, plural, one {Revoke token} other {Revoke # tokens}}',
    hint: /*i18n*/ 'Prevents further registrations',
    icon: IconTicketOff,
    key: 'Delete',
    usual: true,
    accepts: ({ mas }) => mas?.revoked === false,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can no longer be used to register. Existing accounts are not affected.} other {# tokens can no longer be used to register. Existing accounts are not affected.}}',
      doing: /*i18n*/ '{count, plural, one {Revoking {name}} other {Revoking # tokens}}',
      done: revoked,
      undone: restored,
    },
    ...revokes(true),
  }),
  action<'token'>({
    ...ofToken,
    id: 'restore-token',
    label: /*i18n*/ '{count, plural, one {Restore token} other {Restore # tokens}}',
    hint: /*i18n*/ 'Allows registrations again',
    icon: IconTicket,
    usual: true,
    accepts: ({ mas }) => mas?.revoked === true,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can be used to register again, within its limits.} other {# tokens can be used to register again, within their limits.}}',
      doing: /*i18n*/ '{count, plural, one {Restoring {name}} other {Restoring # tokens}}',
      done: restored,
      undone: revoked,
    },
    ...revokes(false),
  }),
];

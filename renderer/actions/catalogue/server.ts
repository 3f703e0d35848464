import { IconMail, IconPlugConnected, IconTicket, IconTicketOff, IconTrash } from '@tabler/icons-react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { resetDestination } from '../../api/federation.ts';
import { deleteUnused, purgeRemoteCache } from '../../api/media-changes.ts';
import { deleteToken, setRevoked } from '../../api/registration-tokens.ts';
import { sendServerNotice } from '../../api/server.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { fillTemplate, type ItemOf } from '../items.ts';
import { switched } from './changes.ts';

const textFor = (server: Server, { userId }: ItemOf<'user'>, { reason, fields }: Answers) =>
  fillTemplate(String(fields.text ?? ''), { user: userId, server: server.connection, reason });

export const serverNotice = action<'user'>({
  id: 'send-server-notice',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Send server notice} other {Send # server notices}}',
  hint: /*i18n*/ 'Sends an official message from the server',
  kind: 'user',
  group: 'user',
  icon: IconMail,
  localOnly: true,
  needs: ['serverNotices'],
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ "Sends {count, plural, one {{name}} other {# users}} a server notice in a room they can't leave.",
    lost: /*i18n*/ "Once read, this can't be undone.",
    doing: /*i18n*/ 'Sending server notice to {count, plural, one {{name}} other {# users}}',
    done: /*i18n*/ 'Server notice sent to {count, plural, one {{name}} other {# users}}',
  },
  fields: [{ kind: 'text', name: 'text', label: /*i18n*/ 'Message', required: true, templates: 'notice' }],
  preview: textFor,
  async run({ server, transaction }, item, answers) {
    const text = textFor(server, item, answers);
    await sendServerNotice(server, item.userId, text, transaction);
    return { detail: text };
  },
});

export const resetConnection = action<'destination'>({
  id: 'reset-destination',
  role: 'lead',
  label: /*i18n*/ '{count, plural, one {Retry now} other {Retry # servers now}}',
  hint: /*i18n*/ 'Skips the retry delay',
  kind: 'destination',
  group: 'server',
  icon: IconPlugConnected,
  key: 't',
  usual: true,
  needs: ['destinations'],
  words: {
    will: /*i18n*/ 'Skips the retry delay for {count, plural, one {{name}} other {# servers}}.',
    doing: /*i18n*/ 'Retrying {count, plural, one {{name}} other {# servers}}',
    done: /*i18n*/ 'Retrying {count, plural, one {{name}} other {# servers}}',
  },
  async run({ server }, { destination }) {
    // Its screen is open.
    await resetDestination(server, destination);
    return { detail: destination };
  },
});

// Unused media of all users. Started on a screen that previews the number.

const ofServer = {
  kind: 'server',
  group: 'server',
  icon: IconTrash,
  destructive: true,
  typed: true,
} as const;

export const cleanUps = [
  action<'server'>({
    ...ofServer,
    id: 'delete-unused-media',
    role: 'lead',
    label: /*i18n*/ 'Delete unused media',
    hint: /*i18n*/ 'Deletes media not accessed recently',
    needs: ['deleteUnused'],
    words: {
      will: /*i18n*/ 'Deletes media not accessed recently from {name}.',
      lost: /*i18n*/ "This can't be undone. Messages no longer show deleted media.",
      doing: /*i18n*/ 'Deleting unused media on {name}',
      done: /*i18n*/ 'Unused media on {name} deleted',
    },
    /** Fields: `before` in milliseconds since the Unix epoch, `largerThan` in bytes, `keepProfiles`. */
    async run({ server }, _item, { fields }) {
      const [before, largerThan] = [Number(fields.before), Number(fields.largerThan)];
      const count = await deleteUnused(server, {
        before,
        largerThan,
        keepProfiles: fields.keepProfiles === true,
      });
      return {
        media: count,
        detail: `${count} media, not opened since ${dayIn(before)}, larger than ${largerThan} bytes`,
      };
    },
  }),
  action<'server'>({
    ...ofServer,
    id: 'purge-media-copies',
    role: 'lead',
    label: /*i18n*/ 'Purge remote media cache',
    hint: /*i18n*/ 'Deletes media not accessed recently',
    needs: ['purgeCopies'],
    words: {
      will: /*i18n*/ 'Deletes remote media not accessed recently from {name}.',
      lost: /*i18n*/ "Media deleted on the origin server can't be restored.",
      doing: /*i18n*/ 'Purging the remote media cache on {name}',
      done: /*i18n*/ 'Remote media cache on {name} purged',
    },
    /** Fields: `before` in milliseconds since the Unix epoch. */
    async run({ server }, _item, { fields }) {
      const before = Number(fields.before);
      const count = await purgeRemoteCache(server, before);
      return { media: count, detail: `${count} media, not opened since ${dayIn(before)}` };
    },
  }),
];

/** For the log, which isn't translated. */
const dayIn = (time: number) => new Date(time).toISOString().slice(0, 10);

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
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Delete token} other {Delete # tokens}}',
    hint: /*i18n*/ 'Ends registration with this token',
    icon: IconTrash,
    key: 'Delete',
    usual: true,
    accepts: ({ mas }) => !mas,
    destructive: true,
    endsItem: true,
    words: {
      will: /*i18n*/ "No one can register with {count, plural, one {{name}} other {# tokens}}. Existing accounts aren't affected.",
      lost: /*i18n*/ "This can't be undone.",
      doing: /*i18n*/ '{count, plural, one {Deleting {name}} other {Deleting # tokens}}',
      done: /*i18n*/ '{count, plural, one {{name} deleted} other {# tokens deleted}}',
    },
    async run({ server }, { token }) {
      // Its screen is open.
      await deleteToken(server, token);
      return { detail: token };
    },
  }),
  action<'token'>({
    ...ofToken,
    id: 'revoke-token',
    role: 'moderator',
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
    role: 'moderator',
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

/** A message to a user about their conduct. */
import { IconMessageExclamation } from '@tabler/icons-react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { sendDirectMessage } from '../../api/direct-messages.ts';
import { sendServerNotice } from '../../api/server.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { fillTemplate, type ItemOf } from '../items.ts';

const textFor = (server: Server, { userId }: ItemOf<'user'>, { reason, fields }: Answers) =>
  fillTemplate(String(fields.text ?? ''), { user: userId, server: server.connection, reason });

/** Sends a text as a server notice, or as a direct message from the admin's account. */
export const sendTo = (server: Server, userId: string, text: string, via: unknown, transaction: string) =>
  (via === 'notice' ? sendServerNotice : sendDirectMessage)(server, userId, text, transaction);

const direct = { value: 'direct', label: /*i18n*/ 'Direct message from your account' };

export const warnUser = action<'user'>({
  id: 'warn-user',
  role: 'triage',
  label: /*i18n*/ '{count, plural, one {Warn user} other {Warn # users}}',
  hint: /*i18n*/ 'Sends a message about a rule',
  kind: 'user',
  group: 'user',
  icon: IconMessageExclamation,
  key: 'w',
  localOnly: true,
  needs: [],
  resolvesReports: true,
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ 'Sends {count, plural, one {{name}} other {# users}} a message. A direct message is sent in a room of your account with the user.',
    lost: /*i18n*/ "Once read, this can't be undone.",
    doing: /*i18n*/ '{count, plural, one {Warning {name}} other {Warning # users}}',
    done: /*i18n*/ '{count, plural, one {{name}} other {# users}} warned',
  },
  fields: [
    {
      kind: 'choice',
      name: 'via',
      label: /*i18n*/ 'Send as',
      initial: 'notice',
      options: [{ value: 'notice', label: /*i18n*/ 'Server notice' }, direct],
      isShown: ({ offered }) => offered.has('serverNotices'),
    },
    // The panel also informs about missing server notices.
    {
      kind: 'choice',
      name: 'without',
      label: /*i18n*/ 'Send as',
      initial: 'direct',
      options: [direct],
      isShown: ({ offered }) => !offered.has('serverNotices'),
    },
    { kind: 'text', name: 'text', label: /*i18n*/ 'Message', required: true, templates: 'notice' },
  ],
  preview: textFor,
  async run({ server, transaction }, item, answers) {
    const text = textFor(server, item, answers);
    await sendTo(server, item.userId, text, answers.fields.via, transaction);
    return { detail: text };
  },
});

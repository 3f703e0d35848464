import { IconMail } from '@tabler/icons-react';
import { sendServerNotice } from '../../api/server-notices.ts';
import type { Server } from '../../transport/server.ts';
import { type Answers, action } from '../action.ts';
import { filled } from '../placeholders.ts';
import type { ItemOf } from '../subject.ts';

const textFor = (server: Server, { userId }: ItemOf<'user'>, { reason, fields }: Answers) =>
  filled(String(fields.text ?? ''), { user: userId, server: server.connection, reason });

export const serverNotice = action<'user'>({
  id: 'send-server-notice',
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

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
  kind: 'user',
  group: 'user',
  icon: IconMail,
  localOnly: true,
  needs: ['serverNotices'],
  applies: ({ user }) => !user?.deactivated,
  words: {
    will: /*i18n*/ '{count, plural, one {{name} gets a message from the server, in a room that they can not leave.} other {# users get a message from the server, each in a room that they can not leave.}}',
    lost: /*i18n*/ 'What was read can not be taken back.',
    doing: /*i18n*/ '{count, plural, one {Sending a notice to {name}} other {Sending # notices}}',
    done: /*i18n*/ '{count, plural, one {{name} has a notice from the server} other {# users have a notice from the server}}',
  },
  fields: [{ kind: 'text', name: 'text', label: /*i18n*/ 'Message', required: true, templates: 'notice' }],
  preview: textFor,
  async run({ server, transaction }, item, answers) {
    const text = textFor(server, item, answers);
    await sendServerNotice(server, item.userId, text, transaction);
    return { detail: text };
  },
});

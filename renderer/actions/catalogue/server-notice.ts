import { IconMail } from '@tabler/icons-react';
import { sendServerNotice } from '../../api/server-notices.ts';
import { action } from '../action.ts';
import { filled } from '../placeholders.ts';

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
  async run({ server, transaction }, { userId }, { reason, fields }) {
    const text = filled(String(fields.text), { user: userId, server: server.connection, reason });
    await sendServerNotice(server, userId, text, transaction);
    return {};
  },
});

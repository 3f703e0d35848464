/** A message to a reporter about a decision. Not in menus: it's sent with the decision. */
import { IconMessageReply } from '@tabler/icons-react';
import { action } from '../action.ts';
import { messageReporterId } from '../reporter-messages.ts';
import { sendTo } from './warn.ts';

export const messageReporter = action<'user'>({
  id: messageReporterId,
  role: 'triage',
  label: /*i18n*/ '{count, plural, one {Message reporter} other {Message # reporters}}',
  hint: /*i18n*/ 'Sends a message about the decision',
  kind: 'user',
  group: 'report',
  icon: IconMessageReply,
  localOnly: true,
  needs: [],
  words: {
    will: /*i18n*/ 'Sends {count, plural, one {{name}} other {# reporters}} a message about the decision.',
    lost: /*i18n*/ "Once read, this can't be undone.",
    doing: /*i18n*/ 'Messaging {count, plural, one {{name}} other {# reporters}}',
    done: /*i18n*/ '{count, plural, one {{name}} other {# reporters}} messaged',
  },
  async run({ server, transaction }, { userId }, { fields }) {
    const text = String(fields.text ?? '');
    await sendTo(server, userId, text, fields.via, transaction);
    return { detail: text };
  },
});

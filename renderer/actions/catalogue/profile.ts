/** What a user is called, and their picture. */
import { IconUserEdit } from '@tabler/icons-react';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { changeUser } from '../../api/user-changes.ts';
import { action } from '../action.ts';

const Before = Type.Object({ displayname: Type.String(), avatar_url: Type.String() });

export const profile = action<'user'>({
  id: 'edit-profile',
  kind: 'user',
  group: 'user',
  icon: IconUserEdit,
  localOnly: true,
  needs: ['users'],
  // Many would get one and the same name; without it being known, what is there would be overwritten.
  applies: ({ user }) => user !== undefined && !user.deactivated,
  oneOnly: true,
  words: {
    hint: /*i18n*/ 'Display name and picture',
    will: /*i18n*/ 'The profile of {name} is changed, and the rooms that they are in are told.',
    doing: /*i18n*/ 'Changing the profile of {name}',
    done: /*i18n*/ 'The profile of {name} is changed',
    undone: /*i18n*/ '{name} has the earlier profile again',
  },
  fields: [
    {
      kind: 'line',
      name: 'displayname',
      label: /*i18n*/ 'Display name',
      required: false,
      from: ({ user }) => user?.displayname ?? '',
    },
    {
      kind: 'picture',
      name: 'avatar',
      label: /*i18n*/ 'Picture',
      note: /*i18n*/ 'Of the form mxc://server/id; empty for none. What you choose here is uploaded as your own.',
      from: ({ user }) => user?.avatar_url ?? '',
    },
  ],
  async run({ server }, { userId }, { fields }) {
    const before = await changeUser(server, userId, () => ({
      displayname: String(fields.displayname).trim(),
      avatar_url: String(fields.avatar).trim(),
    }));
    return { undo: { displayname: before.displayname ?? '', avatar_url: before.avatar_url ?? '' } };
  },
  async undo({ server }, { userId }, before) {
    if (Check(Before, before)) await changeUser(server, userId, () => before);
  },
});

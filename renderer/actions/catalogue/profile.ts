/** What a user is called, and their picture. */
import { IconUserEdit } from '@tabler/icons-react';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { changeUser, userNow } from '../../api/user-changes.ts';
import { action } from '../action.ts';

/** Of what was changed alone: the rest may be somebody else's since. Type.Partial would bring a third of TypeBox along. */
const Before = Type.Object({
  displayname: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
});

/** In characters; servers take no longer ones. */
const longestName = 256;

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
      faultOf: (name) =>
        name.length > longestName
          ? /*i18n*/ 'At most 256 characters: servers take no longer one.'
          : undefined,
    },
    {
      kind: 'picture',
      name: 'avatar',
      label: /*i18n*/ 'Picture',
      note: /*i18n*/ 'Of the form mxc://server/id; empty for none. What you choose here is uploaded as your own.',
      from: ({ user }) => user?.avatar_url ?? '',
      // What is there already may be anything, and is no fault of who changes the name.
      faultOf: (uri, { known: { user } }) =>
        uri === '' || uri === user?.avatar_url || /^mxc:\/\/[^\s/]+\/[^\s/]+$/.test(uri)
          ? undefined
          : /*i18n*/ 'Other addresses no client shows: upload the picture instead.',
    },
  ],
  async run({ server, first }, { userId }, { fields }) {
    const wanted = {
      ...(fields.displayname !== undefined && { displayname: String(fields.displayname).trim() }),
      ...(fields.avatar !== undefined && { avatar_url: String(fields.avatar).trim() }),
    };
    const before = await first(async () => {
      const { displayname, avatar_url } = await userNow(server, userId);
      return { displayname: displayname ?? '', avatar_url: avatar_url ?? '' };
    });
    await changeUser(server, userId, () => wanted);
    const changed = (['displayname', 'avatar_url'] as const).filter(
      (part) => wanted[part] !== undefined && before[part] !== wanted[part],
    );
    return {
      unchanged: changed.length === 0,
      undo: Object.fromEntries(changed.map((part) => [part, before[part]])),
      detail: changed.map((part) => `${before[part] || '–'} → ${wanted[part] || '–'}`).join(', '),
    };
  },
  async undo({ server }, { userId }, before) {
    if (Check(Before, before)) await changeUser(server, userId, () => before);
  },
});

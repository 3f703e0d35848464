/** What a user is called, and their picture. */
import { IconUserEdit, IconUserMinus } from '@tabler/icons-react';
import { action } from '../action.ts';

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
  run: async (...asked) => (await import('./profile-change.ts')).changeProfile(...asked),
  undo: async (...asked) => (await import('./profile-change.ts')).giveBackProfile(...asked),
});

/** A step of what is done about impersonation and scams; by itself one edits the profile. */
export const clearProfile = action<'user'>({
  id: 'clear-profile',
  kind: 'user',
  group: 'user',
  icon: IconUserMinus,
  localOnly: true,
  needs: ['users'],
  applies: ({ user }) =>
    user === undefined || (!user.deactivated && Boolean(user.displayname || user.avatar_url)),
  words: {
    will: /*i18n*/ '{count, plural, one {Removes the display name and avatar of {name}.} other {Removes the display names and avatars of # users.}}',
    doing: /*i18n*/ '{count, plural, one {Clearing the profile of {name}} other {Clearing # profiles}}',
    done: /*i18n*/ '{count, plural, one {Cleared the profile of {name}} other {Cleared # profiles}}',
    undone: /*i18n*/ '{count, plural, one {Restored the profile of {name}} other {Restored # profiles}}',
  },
  run: async (work, item, { reason }) =>
    (await import('./profile-change.ts')).changeProfile(work, item, {
      reason,
      fields: { displayname: '', avatar: '' },
    }),
  undo: async (...asked) => (await import('./profile-change.ts')).giveBackProfile(...asked),
});

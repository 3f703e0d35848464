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
    will: /*i18n*/ 'Edits the profile of {name}. Their rooms are notified.',
    doing: /*i18n*/ 'Editing the profile of {name}',
    done: /*i18n*/ 'Profile of {name} edited',
    undone: /*i18n*/ 'Profile of {name} restored',
  },
  fields: [
    {
      kind: 'line',
      name: 'displayname',
      label: /*i18n*/ 'Display name',
      required: false,
      from: ({ user }) => user?.displayname ?? '',
      faultOf: (name) => (name.length > longestName ? /*i18n*/ 'Maximum 256 characters' : undefined),
    },
    {
      kind: 'picture',
      name: 'avatar',
      label: /*i18n*/ 'Avatar',
      note: /*i18n*/ 'mxc://server/id, or empty for none. Images you choose are uploaded under your account.',
      from: ({ user }) => user?.avatar_url ?? '',
      // What is there already may be anything, and is no fault of who changes the name.
      faultOf: (uri, { known: { user } }) =>
        uri === '' || uri === user?.avatar_url || /^mxc:\/\/[^\s/]+\/[^\s/]+$/.test(uri)
          ? undefined
          : /*i18n*/ 'Clients only show mxc:// images. Upload the image instead.',
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
    will: /*i18n*/ 'Removes display name and avatar of {count, plural, one {{name}} other {# users}}.',
    doing: /*i18n*/ 'Clearing {count, plural, one {the profile of {name}} other {# profiles}}',
    done: /*i18n*/ 'Cleared {count, plural, one {the profile of {name}} other {# profiles}}',
    undone: /*i18n*/ 'Restored {count, plural, one {the profile of {name}} other {# profiles}}',
  },
  run: async (work, item, { reason }) =>
    (await import('./profile-change.ts')).changeProfile(work, item, {
      reason,
      fields: { displayname: '', avatar: '' },
    }),
  undo: async (...asked) => (await import('./profile-change.ts')).giveBackProfile(...asked),
});

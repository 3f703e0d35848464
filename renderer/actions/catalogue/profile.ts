/** Display name and avatar. */
import { IconUserEdit, IconUserMinus } from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { changeUser, getUser } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { type Action, action, type Work } from '../action.ts';
import { beforeChange, changedSince } from './changes.ts';

/** In characters; the limit of servers. */
const maxNameLength = 256;

export const profile = action<'user'>({
  id: 'edit-profile',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Edit profile} other {Edit # profiles}}',
  hint: /*i18n*/ 'Changes display name and avatar',
  kind: 'user',
  group: 'user',
  icon: IconUserEdit,
  localOnly: true,
  needs: ['users'],
  // Single users only, and once loaded: unknown values would be overwritten.
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
      faultOf: (name) => (name.length > maxNameLength ? /*i18n*/ 'Maximum 256 characters' : undefined),
    },
    {
      kind: 'picture',
      name: 'avatar',
      label: /*i18n*/ 'Avatar',
      note: /*i18n*/ 'mxc://server/id, or empty for none. Images you choose are uploaded under your account.',
      from: ({ user }) => user?.avatar_url ?? '',
      // An unchanged value may be invalid.
      faultOf: (uri, { known: { user } }) =>
        uri === '' || uri === user?.avatar_url || /^mxc:\/\/[^\s/]+\/[^\s/]+$/.test(uri)
          ? undefined
          : /*i18n*/ 'Clients only show mxc:// images. Upload the image instead.',
    },
  ],
  run: changeProfile,
  undo: giveBackProfile,
});

/** A step against impersonation. */
export const clearProfile = action<'user'>({
  id: 'clear-profile',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Clear profile} other {Clear # profiles}}',
  hint: /*i18n*/ 'Removes display name and avatar',
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
  run: (work, item, { reason }) =>
    changeProfile(work, item, {
      reason,
      fields: { displayname: '', avatar: '' },
    }),
  undo: giveBackProfile,
});

/** Only changed fields: others may have changed since. `Type.Partial` would bundle a third of TypeBox. */
const Parts = Type.Object({
  displayname: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
});
type Parts = Static<typeof Parts>;
const parts = ['displayname', 'avatar_url'] as const;
/** The profile before and after the change. */
const KeptProfile = Type.Object({ before: Parts, left: Parts });

/** Whether a profile has these values. */
const isAs = (profile: Parts, wanted: Parts) =>
  parts.every((part) => wanted[part] === undefined || wanted[part] === profile[part]);

async function profileNow(server: Server, userId: string) {
  const { displayname, avatar_url } = await getUser(server, userId);
  return { displayname: displayname ?? '', avatar_url: avatar_url ?? '' };
}

type User = Parameters<Action<'user'>['run']>[1];

async function changeProfile(work: Work, { userId }: User, { fields }: Answers) {
  const { server } = work;
  const wanted: Parts = {
    ...(fields.displayname !== undefined && { displayname: String(fields.displayname).trim() }),
    ...(fields.avatar !== undefined && { avatar_url: String(fields.avatar).trim() }),
  };
  const { before, unsure } = await beforeChange(
    work,
    () => profileNow(server, userId),
    (now) => isAs(now, wanted),
  );
  await changeUser(server, userId, () => wanted);
  const changed = parts.filter((part) => wanted[part] !== undefined && before[part] !== wanted[part]);
  const of = (profile: Parts) => Object.fromEntries(changed.map((part) => [part, profile[part]]));
  return {
    unchanged: changed.length === 0,
    unsure,
    undo: { before: of(before), left: of(wanted) },
    detail: changed.map((part) => `${before[part] || '–'} → ${wanted[part] || '–'}`).join(', '),
  };
}

async function giveBackProfile({ server }: Work, { userId }: User, kept: unknown): Promise<void> {
  if (!fits(KeptProfile, kept)) return;
  if (!isAs(await profileNow(server, userId), kept.left)) throw changedSince();
  await changeUser(server, userId, () => kept.before);
}

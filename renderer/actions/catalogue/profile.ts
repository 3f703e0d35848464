/** What a user is called, and their picture. */
import { IconUserEdit } from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { changeUser, userNow } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { beforeChange } from '../before-change.ts';
import { changedSince } from '../changed-since.ts';

/** Of what was changed alone: the rest may be somebody else's since. Type.Partial would bring a third of TypeBox along. */
const Parts = Type.Object({
  displayname: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
});
const parts = ['displayname', 'avatar_url'] as const;
/** What there was before, and what was left. */
const KeptProfile = Type.Object({ before: Parts, left: Parts });

/** Whether a profile has these parts. */
const isAs = (profile: Static<typeof Parts>, wanted: Static<typeof Parts>) =>
  parts.every((part) => wanted[part] === undefined || wanted[part] === profile[part]);

async function profileNow(server: Server, userId: string) {
  const { displayname, avatar_url } = await userNow(server, userId);
  return { displayname: displayname ?? '', avatar_url: avatar_url ?? '' };
}

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
  async run(work, { userId }, { fields }) {
    const { server } = work;
    const wanted: Static<typeof Parts> = {
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
    const of = (profile: Static<typeof Parts>) =>
      Object.fromEntries(changed.map((part) => [part, profile[part]]));
    return {
      unchanged: changed.length === 0,
      unsure,
      undo: { before: of(before), left: of(wanted) },
      detail: changed.map((part) => `${before[part] || '–'} → ${wanted[part] || '–'}`).join(', '),
    };
  },
  async undo({ server }, { userId }, kept) {
    if (!Check(KeptProfile, kept)) return;
    if (!isAs(await profileNow(server, userId), kept.left)) throw changedSince();
    await changeUser(server, userId, () => kept.before);
  },
});

/** Changing a user's name and picture, and giving back what there was. Loaded when it is done: few do it. */
import { type Static, Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { changeUser, userNow } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import type { Action, Answers, Work } from '../action.ts';
import { beforeChange } from '../before-change.ts';
import { changedSince } from '../changed-since.ts';

/** Of what was changed alone: the rest may be somebody else's since. Type.Partial would bring a third of TypeBox along. */
const Parts = Type.Object({
  displayname: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
});
type Parts = Static<typeof Parts>;
const parts = ['displayname', 'avatar_url'] as const;
/** What there was before, and what was left. */
const KeptProfile = Type.Object({ before: Parts, left: Parts });

/** Whether a profile has these parts. */
const isAs = (profile: Parts, wanted: Parts) =>
  parts.every((part) => wanted[part] === undefined || wanted[part] === profile[part]);

async function profileNow(server: Server, userId: string) {
  const { displayname, avatar_url } = await userNow(server, userId);
  return { displayname: displayname ?? '', avatar_url: avatar_url ?? '' };
}

type User = Parameters<Action<'user'>['run']>[1];

export async function changeProfile(work: Work, { userId }: User, { fields }: Answers) {
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

export async function giveBackProfile({ server }: Work, { userId }: User, kept: unknown): Promise<void> {
  if (!fits(KeptProfile, kept)) {
    // Earlier builds kept what there was before alone.
    if (fits(Parts, kept)) await changeUser(server, userId, () => kept);
    return;
  }
  if (!isAs(await profileNow(server, userId), kept.left)) throw changedSince();
  await changeUser(server, userId, () => kept.before);
}

/** Giving users a rate limit of their own, or none, and giving back what there was. */
import { type Static, Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import { overrideRateLimit, RateLimit, rateLimitOf, removeRateLimit } from '../../api/user-changes.ts';
import type { Action, Answers, Work } from '../action.ts';
import { beforeChange } from '../before-change.ts';
import { changedSince } from '../changed-since.ts';

type Limit = Static<typeof RateLimit>;
type User = Parameters<Action<'user'>['run']>[1];

/** The override that there was before, and the one that was left; none where there was none. */
const KeptLimits = Type.Object({ before: RateLimit, left: RateLimit });

const isSameLimit = (one: Limit, other: Limit) =>
  one.messages_per_second === other.messages_per_second && one.burst_count === other.burst_count;

export async function giveLimit(work: Work, { userId }: User, { fields }: Answers) {
  const [perSecond, burst] = [Number(fields.perSecond), Number(fields.burst)];
  const change = await changeOf(work, userId, { messages_per_second: perSecond, burst_count: burst });
  await overrideRateLimit(work.server, userId, { perSecond, burst });
  return { ...change, detail: `${perSecond} per second, ${burst} at once` };
}

export async function takeLimit(work: Work, { userId }: User) {
  const change = await changeOf(work, userId, {});
  await removeRateLimit(work.server, userId);
  return change;
}

/** What is to be known of a change, before it is made, to take it back. */
async function changeOf(work: Work, userId: string, left: Limit) {
  const isLeft = (limit: Limit) => isSameLimit(limit, left);
  const { before, unsure } = await beforeChange(work, () => rateLimitOf(work.server, userId), isLeft);
  return { undo: { before, left }, unchanged: isLeft(before), unsure };
}

export async function giveBackLimit({ server }: Work, { userId }: User, kept: unknown): Promise<void> {
  const { before, left } = fits(KeptLimits, kept) ? kept : { before: {}, left: undefined };
  if (left && !isSameLimit(await rateLimitOf(server, userId), left)) throw changedSince();
  const { messages_per_second: perSecond, burst_count: burst } = before;
  if (perSecond === undefined || burst === undefined) await removeRateLimit(server, userId);
  else await overrideRateLimit(server, userId, { perSecond, burst });
}

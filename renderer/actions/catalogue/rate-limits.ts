/** Rate limit overrides. */
import { IconGauge, IconGaugeOff } from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import { fits } from '../../../shared/fits.ts';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { getRateLimit, overrideRateLimit, RateLimit, removeRateLimit } from '../../api/user-changes.ts';
import { type Action, action, type Work } from '../action.ts';
import { beforeChange, changedSince } from './changes.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const rateLimits = [
  action({
    ...ofUser,
    id: 'override-rate-limit',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Change rate limit} other {Change # rate limits}}',
    hint: /*i18n*/ 'Sets how fast the user can send',
    icon: IconGauge,
    needs: ['rateLimit'],
    words: {
      will: /*i18n*/ 'Sets a rate limit for {count, plural, one {{name}} other {# users}}. 0 means unlimited.',
      doing: /*i18n*/ 'Changing {count, plural, one {the rate limit of {name}} other {# rate limits}}',
      done: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} changed',
      undone: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} restored',
    },
    fields: [
      {
        kind: 'number',
        name: 'perSecond',
        label: /*i18n*/ 'Messages per second',
        initial: 1,
        least: 0,
        most: 1_000_000,
      },
      {
        kind: 'number',
        name: 'burst',
        label: /*i18n*/ 'Burst count',
        initial: 5,
        least: 0,
        most: 1_000_000,
      },
    ],
    run: giveLimit,
    undo: giveBackLimit,
  }),
  action({
    ...ofUser,
    id: 'remove-rate-limit',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Remove rate limit} other {Remove # rate limits}}',
    hint: /*i18n*/ "Restores the server's default limits",
    icon: IconGaugeOff,
    needs: ['rateLimit'],
    words: {
      will: /*i18n*/ "Restores the server's default rate limits for {count, plural, one {{name}} other {# users}}.",
      doing: /*i18n*/ 'Removing {count, plural, one {the rate limit of {name}} other {# rate limits}}',
      done: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} removed',
      undone: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} restored',
    },
    run: takeLimit,
    undo: giveBackLimit,
  }),
];

type Limit = Static<typeof RateLimit>;
type User = Parameters<Action<'user'>['run']>[1];

/** The override before and after the change, if any. */
const KeptLimits = Type.Object({ before: RateLimit, left: RateLimit });

const isSameLimit = (one: Limit, other: Limit) =>
  one.messages_per_second === other.messages_per_second && one.burst_count === other.burst_count;

async function giveLimit(work: Work, { userId }: User, { fields }: Answers) {
  const [perSecond, burst] = [Number(fields.perSecond), Number(fields.burst)];
  const change = await changeOf(work, userId, { messages_per_second: perSecond, burst_count: burst });
  await overrideRateLimit(work.server, userId, { perSecond, burst });
  return { ...change, detail: `${perSecond} per second, ${burst} at once` };
}

async function takeLimit(work: Work, { userId }: User) {
  const change = await changeOf(work, userId, {});
  await removeRateLimit(work.server, userId);
  return change;
}

/** Returns the data for the undo. */
async function changeOf(work: Work, userId: string, left: Limit) {
  const isLeft = (limit: Limit) => isSameLimit(limit, left);
  const { before, unsure } = await beforeChange(work, () => getRateLimit(work.server, userId), isLeft);
  return { undo: { before, left }, unchanged: isLeft(before), unsure };
}

async function giveBackLimit({ server }: Work, { userId }: User, kept: unknown): Promise<void> {
  const { before, left } = fits(KeptLimits, kept) ? kept : { before: {}, left: undefined };
  if (left && !isSameLimit(await getRateLimit(server, userId), left)) throw changedSince();
  const { messages_per_second: perSecond, burst_count: burst } = before;
  if (perSecond === undefined || burst === undefined) await removeRateLimit(server, userId);
  else await overrideRateLimit(server, userId, { perSecond, burst });
}

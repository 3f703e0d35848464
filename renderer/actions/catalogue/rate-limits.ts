/** How often a user may send. */
import { IconGauge, IconGaugeOff } from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { overrideRateLimit, RateLimit, rateLimitOf, removeRateLimit } from '../../api/user-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Work } from '../action.ts';
import { beforeChange } from '../before-change.ts';
import { changedSince } from '../changed-since.ts';

const ofUser = { kind: 'user', group: 'user', localOnly: true } as const;

export const rateLimits = [
  action({
    ...ofUser,
    id: 'override-rate-limit',
    icon: IconGauge,
    needs: ['rateLimit'],
    words: {
      will: /*i18n*/ '{count, plural, one {{name} has a limit of their own on how often they send. 0 is without a limit.} other {# users have a limit of their own on how often they send. 0 is without a limit.}}',
      doing:
        /*i18n*/ '{count, plural, one {Changing the rate limit of {name}} other {Changing # rate limits}}',
      done: /*i18n*/ '{count, plural, one {{name} has a rate limit of their own} other {# users have rate limits of their own}}',
      undone:
        /*i18n*/ '{count, plural, one {{name} has the earlier rate limit again} other {# users have their earlier rate limits again}}',
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
        label: /*i18n*/ 'At once, before it counts',
        initial: 5,
        least: 0,
        most: 1_000_000,
      },
    ],
    async run(work, { userId }, { fields }) {
      const [perSecond, burst] = [Number(fields.perSecond), Number(fields.burst)];
      const left = { messages_per_second: perSecond, burst_count: burst };
      const change = await changeOf(work, userId, left);
      await overrideRateLimit(work.server, userId, { perSecond, burst });
      return {
        ...change,
        detail: `${perSecond} per second, ${burst} at once`,
      };
    },
    undo: ({ server }, { userId }, before) => giveBack(server, userId, before),
  }),
  action({
    ...ofUser,
    id: 'remove-rate-limit',
    icon: IconGaugeOff,
    needs: ['rateLimit'],
    words: {
      will: /*i18n*/ "{count, plural, one {For {name} the server's own limits hold again.} other {For # users the server's own limits hold again.}}",
      doing:
        /*i18n*/ '{count, plural, one {Removing the rate limit of {name}} other {Removing # rate limits}}',
      done: /*i18n*/ "{count, plural, one {The server's own limits hold for {name}} other {The server's own limits hold for # users}}",
      undone:
        /*i18n*/ '{count, plural, one {{name} has the earlier rate limit again} other {# users have their earlier rate limits again}}',
    },
    async run(work, { userId }) {
      const change = await changeOf(work, userId, {});
      await removeRateLimit(work.server, userId);
      return change;
    },
    undo: ({ server }, { userId }, before) => giveBack(server, userId, before),
  }),
];

/** The override that there was before, and the one that was left; none where there was none. */
const KeptLimits = Type.Object({ before: RateLimit, left: RateLimit });

const isSameLimit = (one: Static<typeof RateLimit>, other: Static<typeof RateLimit>) =>
  one.messages_per_second === other.messages_per_second && one.burst_count === other.burst_count;

/** What is to be known of a change, before it is made, to take it back. */
async function changeOf(work: Work, userId: string, left: Static<typeof RateLimit>) {
  const isLeft = (limit: Static<typeof RateLimit>) => isSameLimit(limit, left);
  const { before, unsure } = await beforeChange(work, () => rateLimitOf(work.server, userId), isLeft);
  return { undo: { before, left }, unchanged: isLeft(before), unsure };
}

async function giveBack(server: Server, userId: string, kept: unknown): Promise<void> {
  const { before, left } = Check(KeptLimits, kept) ? kept : { before: {}, left: undefined };
  if (left && !isSameLimit(await rateLimitOf(server, userId), left)) throw changedSince();
  const { messages_per_second: perSecond, burst_count: burst } = before;
  if (perSecond === undefined || burst === undefined) await removeRateLimit(server, userId);
  else await overrideRateLimit(server, userId, { perSecond, burst });
}

/** How often a user may send. */
import { IconGauge, IconGaugeOff } from '@tabler/icons-react';
import { action } from '../action.ts';

/** Loaded when it is done: few do it. */
const load = () => import('./rate-limit-change.ts');

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
    run: async (...asked) => (await load()).giveLimit(...asked),
    undo: async (...asked) => (await load()).giveBackLimit(...asked),
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
    run: async (work, item) => (await load()).takeLimit(work, item),
    undo: async (...asked) => (await load()).giveBackLimit(...asked),
  }),
];

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
    run: async (...asked) => (await load()).giveLimit(...asked),
    undo: async (...asked) => (await load()).giveBackLimit(...asked),
  }),
  action({
    ...ofUser,
    id: 'remove-rate-limit',
    icon: IconGaugeOff,
    needs: ['rateLimit'],
    words: {
      will: /*i18n*/ "Restores the server's default rate limits for {count, plural, one {{name}} other {# users}}.",
      doing: /*i18n*/ 'Removing {count, plural, one {the rate limit of {name}} other {# rate limits}}',
      done: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} removed',
      undone: /*i18n*/ 'Rate {count, plural, one {limit of {name}} other {limits of # users}} restored',
    },
    run: async (work, item) => (await load()).takeLimit(work, item),
    undo: async (...asked) => (await load()).giveBackLimit(...asked),
  }),
];

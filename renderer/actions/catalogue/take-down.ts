/** Combined actions against spam and abuse. */
import { IconGavel } from '@tabler/icons-react';
import { action, type Field } from '../action.ts';
import { isApplicable } from '../steps.ts';
import { accounts, credentials } from './accounts.ts';
import { mediaOfUsers } from './all-media.ts';
import { clearProfile } from './profile.ts';
import { redactions } from './redaction.ts';
import { restrictions } from './restrictions.ts';

const all = [clearProfile, ...credentials, ...restrictions, ...mediaOfUsers, ...redactions, ...accounts];

/**
 * In this order: the profile, because Synapse doesn't update the memberships of a suspended user; fast steps; slow ones.
 * Redaction is in the user's own name, so it comes before deactivation, which leaves all rooms.
 */
const steps = [
  'clear-profile',
  'suspend-user',
  'lock-user',
  'end-sessions',
  'quarantine-user-media',
  'redact-user',
  'deactivate-user',
].flatMap((id) => all.find((action) => action.id === id) ?? []);

const usual = ['suspend-user', 'quarantine-user-media', 'redact-user'];

export const takeDown = action<'user'>({
  id: 'take-down-user',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Take down user} other {Take down # users}}',
  hint: /*i18n*/ 'Suspends, quarantines and redacts together',
  kind: 'user',
  group: 'user',
  icon: IconGavel,
  key: 'd',
  needs: [],
  steps,
  harms: true,
  resolvesReports: true,
  destructive: true,
  publicReason: true,
  typed: 'many',
  words: {
    will: /*i18n*/ 'Runs the selected steps for {count, plural, one {{name}} other {# users}} in order. A failed step stops the rest.',
    doing: /*i18n*/ 'Taking down {count, plural, one {{name}} other {# users}}',
    done: /*i18n*/ '{count, plural, one {{name}} other {# users}} taken down',
    undone: /*i18n*/ 'Takedown of {count, plural, one {{name}} other {# users}} undone',
  },
  fields: steps.flatMap((step): Field[] => [
    {
      kind: 'flag',
      name: step.id,
      label: step.label,
      initial: usual.includes(step.id),
      isShown: (form) => isApplicable(step, form),
    },
    ...(step.fields ?? [])
      // A takedown has no period.
      .filter(({ kind }) => kind !== 'moment')
      .map(
        (field): Field => ({
          ...field,
          isShown: (form) =>
            form.fields[step.id] === true && isApplicable(step, form) && field.isShown?.(form) !== false,
        }),
      ),
  ]),
  run: () => Promise.reject(new Error('It is its steps that are run')),
});

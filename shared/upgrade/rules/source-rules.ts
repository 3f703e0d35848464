/** Rules from Synapse's source alone. */
import {
  emptyExperimentalFeatures,
  emptySettings,
  formerSettings,
  refusedEmpty,
  trustedIdentityServer,
} from '../synapse/setting-notes.ts';
import { type Rule, valueIs } from './rule.ts';

export const sourceRules: readonly Rule[] = [
  ...formerSettings.map(
    ({ note }): Rule => ({ note: note.id, setting: note.settings[0] ?? '', need: 'review' }),
  ),
  {
    note: trustedIdentityServer.note.id,
    setting: 'trust_identity_server_for_password_resets',
    need: 'change',
    when: valueIs(true),
    refuses: true,
  },
  {
    note: emptyExperimentalFeatures.note.id,
    setting: 'experimental_features',
    need: 'change',
    when: valueIs(null),
    refuses: true,
    onlyAt: emptyExperimentalFeatures.note.release,
  },
  ...refusedEmpty.map(
    (setting): Rule => ({
      note: emptySettings.note.id,
      setting,
      need: 'change',
      when: valueIs(null),
      refuses: true,
    }),
  ),
];

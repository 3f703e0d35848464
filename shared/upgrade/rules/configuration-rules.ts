/**
 * The settings that each note is about, the conditions under which a file is affected, and the replacement. If the
 * interface names no setting, the name is the one that administrators know.
 */
import type { Sentence } from '../../sentence.ts';
import { changeRules, verifications } from './change-rules.ts';
import { externalAuthentication, reviewRules } from './review-rules.ts';
import type { Rule } from './rule.ts';
import { sourceRules } from './source-rules.ts';

export const rules: readonly Rule[] = [...changeRules, ...reviewRules];
export { sourceRules };

/** Settings whose default a note changes: it concerns a server that doesn't set them. */
export const defaultRules: readonly { note: string; setting: string; instead: Sentence }[] = [
  {
    note: '1.59.0/device-names-over-federation',
    setting: 'allow_device_name_lookup_over_federation',
    instead: { sentence: /*i18n*/ 'Not set. Use true to share device names with other servers.' },
  },
  {
    note: '1.120.0/authenticated-media',
    setting: 'enable_authenticated_media',
    instead: {
      sentence: /*i18n*/ 'Not set. Use false to keep media accessible without a token for now.',
    },
  },
  {
    note: '1.126.0/room-list-publication',
    setting: 'room_list_publication_rules',
    instead: {
      sentence: /*i18n*/ 'Not set. Add a rule to let users publish rooms.',
    },
  },
];

/** All settings and siblings that the rules look for. */
export const settingQuery = {
  settings: [
    ...new Set([
      ...[...rules, ...sourceRules, ...defaultRules].map(({ setting }) => setting),
      ...verifications,
      ...externalAuthentication,
      'enable_registration_without_verification',
      'notify_appservices',
      'notify_appservices_from_worker',
      'update_user_directory',
      'update_user_directory_from_worker',
      'instance_map.main',
      'stream_writers.quarantined_media_changes',
    ]),
  ],
  siblings: ['allow_unsafe_locale', 'url', 'use_appservice_legacy_authorization'],
};
export type SettingQuery = typeof settingQuery;

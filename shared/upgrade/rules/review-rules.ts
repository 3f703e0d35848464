/** Settings to check, which may not have to change. */
import { changes } from '../changes/changes.ts';
import type { Configuration } from '../configuration.ts';
import { anyIs, places, type Rule, valueIs } from './rule.ts';

const review = (note: string, setting: string, when?: Rule['when']): Rule => ({
  note,
  setting,
  need: 'review',
  onlyWhileUpgrading: true,
  ...(when && { when }),
});

/** Settings that delegate sign-in to an external service. */
export const externalAuthentication = [
  'external_authentication_service.enabled',
  'matrix_authentication_service.enabled',
  'experimental_features.msc3861.enabled',
];
const usesExternalAuthentication = (configuration: Configuration) =>
  externalAuthentication.some((setting) => anyIs(configuration, setting, true));

export const reviewRules: readonly Rule[] = [
  ...['1.50.0', '1.72.0', '1.122.0', '1.143.0'].map((release) =>
    review(`${release}/postgresql`, 'database.name', valueIs('psycopg2')),
  ),
  ...['1.68.0', '1.142.0'].map((release) => review(`${release}/sqlite`, 'database.name', valueIs('sqlite3'))),
  review(
    '1.56.0/unsafe-locale',
    'database.name',
    (place) => place.value === 'psycopg2' && !place.hasSibling('allow_unsafe_locale'),
  ),
  ...[
    '1.32.0/appservice-registration-type',
    '1.57.0/appservice-transactions',
    '1.71.0/appservice-user-namespaces',
    '1.81.0/appservice-paths',
    '1.81.0/appservice-query-token',
    '1.85.0/register-user-property',
    '1.89.0/register-user-property',
  ].map((note) => review(note, 'app_service_config_files')),
  review(
    '1.90.0/appservice-query-token',
    'app_service_config_files',
    (place) => !place.hasSibling('use_appservice_legacy_authorization'),
  ),
  review('1.139.0/appservice-inhibit-login', 'app_service_config_files', (_, configuration) =>
    usesExternalAuthentication(configuration),
  ),
  ...['1.71.0/legacy-metric-names', '1.73.0/legacy-metrics', '1.136.0/metric-labels'].map((note) =>
    review(note, 'enable_metrics', valueIs(true)),
  ),
  review('1.44.0/url-preview-cache', 'media_storage_providers'),
  review(
    '1.140.0/s3-storage-provider',
    'media_storage_providers[].module',
    ({ value }) => typeof value === 'string' && value.startsWith('s3_storage_provider.'),
  ),
  review('1.111.0/media-worker-endpoints', 'worker_app', valueIs('synapse.app.media_repository')),
  review(
    '1.152.0/quarantined-media-changes',
    'instance_map',
    (_, configuration) => places(configuration, 'stream_writers.quarantined_media_changes').length === 0,
  ),
  review('1.56.0/unsafe-locale', 'database.allow_unsafe_locale'),
  // The release notes and the settings' own page place it differently.
  ...['experimental.faster_joins', 'experimental_features.faster_joins'].map((setting) =>
    review('1.76.0/faster-joins', setting),
  ),
  review('1.90.0/appservice-query-token', 'use_appservice_legacy_authorization'),
  {
    ...review('1.144.0/mutual-rooms', 'experimental_features.msc2666_enabled', valueIs(false)),
    severity: 'hint',
    instead: { sentence: /*i18n*/ 'The endpoint stays off. Use true only if clients need it.' },
  },
  {
    note: '1.161.0/call-transport-service-url',
    setting: 'matrix_rtc.transports[].livekit_service_url',
    need: 'review',
    severity: 'deprecated',
    when: (place) => !place.hasSibling('url'),
    instead: {
      sentence: /*i18n*/ "Keep it for older clients. Add url (the media forwarding unit's WebSocket URL).",
    },
  },
  ...changes
    .filter(({ note }) => note.touches[0] === 'modules')
    .map(({ note }) => review(note.id, 'modules')),
];

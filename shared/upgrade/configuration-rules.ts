/**
 * Which settings a note is about, how to tell from a file that it concerns this server, and what to write
 * instead. Where the interface names no setting, the name is the one that administrators know.
 */
import type { Sentence } from '../sentence.ts';
import { changes } from './changes/changes.ts';
import type { Configuration, Place } from './configuration.ts';

export type Rule = {
  /** The note's id. */
  note: string;
  /** Where to look: see `findSetting`. */
  setting: string;
  /** `change`: it has to be written differently. `look`: the note concerns a server with this setting. */
  need: 'change' | 'look';
  /** Whether the setting being there is enough, and if not, what else has to hold. */
  when?: (place: Place, configuration: Configuration) => boolean;
  /** What to write instead; the note's own action without it. */
  instead?: Sentence;
  /** Of two rules on the same place and topic, the newer one counts. The note's name without it. */
  topic?: string;
  /** Whether to leave it out once the server runs a release that has the change. */
  onlyOnTheWay?: boolean;
};

const places = (configuration: Configuration, setting: string) =>
  configuration.flatMap((file) => file.find(setting));
const valueIs = (expected: unknown) => (place: Place) => place.value === expected;
const anyIs = (configuration: Configuration, setting: string, expected: unknown) =>
  places(configuration, setting).some(valueIs(expected));
const hasMainFile = (configuration: Configuration) => configuration.some(({ isMain }) => isMain);
const isSet = ({ value }: Place) => value !== null;

const change = (note: string, setting: string, rule: Omit<Rule, 'note' | 'setting' | 'need'> = {}): Rule => ({
  note,
  setting,
  need: 'change',
  ...rule,
});
const look = (note: string, setting: string, when?: Rule['when']): Rule => ({
  note,
  setting,
  need: 'look',
  onlyOnTheWay: true,
  ...(when && { when }),
});

const instanceMap: Sentence = {
  sentence:
    /*i18n*/ 'Remove it, and list the main process in homeserver.yaml, under instance_map: main: with host, port and, where wanted, tls.',
};
const notRedis = (configuration: Configuration) => !anyIs(configuration, 'redis.enabled', true);
const verifications = [
  'registrations_require_3pid',
  'enable_registration_captcha',
  'registration_requires_token',
];
const isVerified = (configuration: Configuration) =>
  verifications.some((setting) =>
    places(configuration, setting).some(({ value }) => value === undefined || value === true),
  );

const changeRules: readonly Rule[] = [
  ...['template_dir', 'email.template_dir', 'sso.template_dir', 'account_validity.template_dir'].map(
    (setting) =>
      change('1.41.0/template-dir', setting, {
        instead: {
          sentence:
            /*i18n*/ 'Move the templates to the directory that templates.custom_template_directory names, and remove it.',
        },
      }),
  ),
  change('1.53.0/webclient-listeners', 'listeners[].type', {
    when: valueIs('webclient'),
    instead: {
      sentence: /*i18n*/ 'Remove the listener, and serve the web client with a web server of its own.',
    },
  }),
  change('1.53.0/webclient-listeners', 'web_client_location', {
    when: ({ value }) => value !== null && !(typeof value === 'string' && /^https?:\/\//.test(value)),
    instead: { sentence: /*i18n*/ 'Write an address that begins with https:// or http://, or remove it.' },
  }),
  change('1.53.0/cache-expiry-time', 'caches.expiry_time', {
    instead: {
      sentence: /*i18n*/ 'Set caches.expire_caches to true and write the lifetime in caches.cache_entry_ttl.',
    },
  }),
  change('1.54.0/structured-logging', 'structured', { when: valueIs(true) }),
  change('1.56.0/open-registration', 'enable_registration', {
    when: ({ value }, configuration) =>
      value === true &&
      !isVerified(configuration) &&
      !anyIs(configuration, 'enable_registration_without_verification', true),
    instead: {
      sentence:
        /*i18n*/ 'Write false, or ask for a verification (registrations_require_3pid, enable_registration_captcha or registration_requires_token), or set enable_registration_without_verification to true.',
    },
  }),
  ...[
    ['synapse.app.appservice', 'notify_appservices_from_worker'],
    ['synapse.app.user_dir', 'update_user_directory_from_worker'],
  ].map(([workerType = '', setting = '']) =>
    change('1.59.0/dedicated-worker-types', 'worker_app', {
      when: valueIs(workerType),
      instead: {
        sentence:
          /*i18n*/ 'Write synapse.app.generic_worker instead of {workerType}, and name the worker in {setting} in homeserver.yaml.',
        values: { workerType, setting },
      },
    }),
  ),
  ...['notify_appservices', 'update_user_directory'].map((setting) =>
    change('1.59.0/dedicated-worker-types', setting, {
      when: ({ value }, configuration) =>
        value === false || places(configuration, `${setting}_from_worker`).length > 0,
      instead: {
        sentence:
          /*i18n*/ 'Remove it: {setting}_from_worker alone says which worker does that. Where the two contradict each other the server refuses to start.',
        values: { setting },
      },
    }),
  ),
  ...['enable_group_creation', 'group_creation_prefix', 'experimental_features.groups_enabled'].map(
    (setting) => change('1.61.0/groups', setting, { instead: { sentence: /*i18n*/ 'Remove it.' } }),
  ),
  change('1.66.0/email-delegation', 'account_threepid_delegates.email', {
    when: isSet,
    instead: {
      sentence: /*i18n*/ 'Remove it, and configure the section email so that the server sends its own mail.',
    },
  }),
  ...['listeners[].type', 'worker_listeners[].type'].map((setting) =>
    change('1.67.0/tcp-replication', setting, {
      when: valueIs('replication'),
      instead: { sentence: /*i18n*/ 'Remove the listener: workers replicate through Redis.' },
    }),
  ),
  change('1.67.0/tcp-replication', 'worker_replication_port', {
    instead: {
      sentence:
        /*i18n*/ 'Remove it: workers replicate through Redis, which redis.enabled in homeserver.yaml switches on.',
    },
  }),
  change('1.67.0/tcp-replication', 'redis.enabled', {
    when: ({ value }, configuration) => value === false && configuration.some(({ isWorker }) => isWorker),
    instead: { sentence: /*i18n*/ 'Write true.' },
  }),
  change('1.67.0/tcp-replication', 'worker_app', {
    when: ({ value }, configuration) =>
      value !== 'synapse.app.homeserver' &&
      hasMainFile(configuration) &&
      notRedis(configuration) &&
      places(configuration, 'redis.enabled').length === 0,
    instead: {
      sentence:
        /*i18n*/ 'Add the section redis with enabled: true to homeserver.yaml: workers replicate through Redis.',
    },
    onlyOnTheWay: true,
  }),
  change('1.73.0/legacy-metrics', 'enable_legacy_metrics', { instead: { sentence: /*i18n*/ 'Remove it.' } }),
  ...['1.84.0', '1.88.0'].flatMap((release) =>
    ['worker_replication_host', 'worker_replication_http_port', 'worker_replication_http_tls'].map(
      (setting) => change(`${release}/worker-replication-settings`, setting, { instead: instanceMap }),
    ),
  ),
  change('1.88.0/worker-replication-settings', 'instance_map', {
    when: (_, configuration) => places(configuration, 'instance_map.main').length === 0,
    instead: {
      sentence: /*i18n*/ 'Add the main process to it as main, with host, port and, where wanted, tls.',
    },
    onlyOnTheWay: true,
  }),
  change('1.88.0/worker-replication-settings', 'worker_app', {
    when: ({ value }, configuration) =>
      value !== 'synapse.app.homeserver' &&
      hasMainFile(configuration) &&
      places(configuration, 'instance_map').length === 0,
    instead: {
      sentence:
        /*i18n*/ 'Add instance_map to homeserver.yaml, with the main process as main: host, port and, where wanted, tls.',
    },
    onlyOnTheWay: true,
  }),
  change('1.120.0/msc3886-endpoint', 'experimental_features.msc3886_endpoint', {
    instead: { sentence: /*i18n*/ 'Remove it.' },
  }),
  ...['1.136.0/external-authentication-service', '1.157.0/msc3861'].map((note) =>
    change(note, 'experimental_features.msc3861', {
      instead: {
        sentence:
          /*i18n*/ 'Remove it, and write the section external_authentication_service with enabled, endpoint and secret.',
      },
      topic: 'msc3861',
    }),
  ),
  change('1.146.0/dehydrated-devices', 'experimental_features.msc2697_enabled', {
    instead: { sentence: /*i18n*/ 'Remove it.' },
  }),
  change('1.161.0/call-transport-url', 'matrix_rtc.transports[].livekit_service_url', {
    when: (place) => !place.hasSibling('url'),
    instead: {
      sentence:
        /*i18n*/ 'Leave it for older clients, and add url beside it: the WebSocket URL of the media forwarding unit.',
    },
  }),
];

const externalAuthentication = [
  'external_authentication_service.enabled',
  'matrix_authentication_service.enabled',
  'experimental_features.msc3861.enabled',
];
const usesExternalAuthentication = (configuration: Configuration) =>
  externalAuthentication.some((setting) => anyIs(configuration, setting, true));

const lookRules: readonly Rule[] = [
  ...['1.50.0', '1.72.0', '1.122.0', '1.143.0'].map((release) =>
    look(`${release}/postgresql`, 'database.name', valueIs('psycopg2')),
  ),
  ...['1.68.0', '1.142.0'].map((release) => look(`${release}/sqlite`, 'database.name', valueIs('sqlite3'))),
  look(
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
  ].map((note) => look(note, 'app_service_config_files')),
  look(
    '1.90.0/appservice-query-token',
    'app_service_config_files',
    (place) => !place.hasSibling('use_appservice_legacy_authorization'),
  ),
  look('1.139.0/appservice-inhibit-login', 'app_service_config_files', (_, configuration) =>
    usesExternalAuthentication(configuration),
  ),
  ...['1.71.0/legacy-metric-names', '1.73.0/legacy-metrics', '1.136.0/metric-labels'].map((note) =>
    look(note, 'enable_metrics', valueIs(true)),
  ),
  look('1.44.0/url-preview-cache', 'media_storage_providers'),
  look(
    '1.140.0/s3-storage-provider',
    'media_storage_providers[].module',
    ({ value }) => typeof value === 'string' && value.startsWith('s3_storage_provider.'),
  ),
  look('1.111.0/media-worker-endpoints', 'worker_app', valueIs('synapse.app.media_repository')),
  look(
    '1.152.0/quarantined-media-changes',
    'instance_map',
    (_, configuration) => places(configuration, 'stream_writers.quarantined_media_changes').length === 0,
  ),
  look('1.56.0/unsafe-locale', 'database.allow_unsafe_locale'),
  // The release notes and the settings' own page place it differently.
  ...['experimental.faster_joins', 'experimental_features.faster_joins'].map((setting) =>
    look('1.76.0/faster-joins', setting),
  ),
  look('1.90.0/appservice-query-token', 'use_appservice_legacy_authorization'),
  look('1.144.0/mutual-rooms', 'experimental_features.msc2666_enabled'),
  ...changes.filter(({ note }) => note.touches[0] === 'modules').map(({ note }) => look(note.id, 'modules')),
];

export const rules: readonly Rule[] = [...changeRules, ...lookRules];

/** Settings whose default a note changes: it concerns a server that doesn't set them. */
export const defaultRules: readonly { note: string; setting: string; instead: Sentence }[] = [
  {
    note: '1.59.0/device-names-over-federation',
    setting: 'allow_device_name_lookup_over_federation',
    instead: { sentence: /*i18n*/ 'It is not set. Write true to let other servers see device names.' },
  },
  {
    note: '1.120.0/authenticated-media',
    setting: 'enable_authenticated_media',
    instead: {
      sentence: /*i18n*/ 'It is not set. Write false to leave media reachable without a token for now.',
    },
  },
  {
    note: '1.126.0/room-list-publication',
    setting: 'room_list_publication_rules',
    instead: {
      sentence: /*i18n*/ 'It is not set. Write a rule that allows it if users are meant to publish rooms.',
    },
  },
];

/** All that the rules ask of a file: what they look for, and what they look at beside it. */
export const asked = {
  settings: [
    ...new Set([
      ...[...rules, ...defaultRules].map(({ setting }) => setting),
      ...verifications,
      ...externalAuthentication,
      'enable_registration_without_verification',
      'notify_appservices_from_worker',
      'update_user_directory_from_worker',
      'instance_map.main',
      'stream_writers.quarantined_media_changes',
    ]),
  ],
  siblings: ['allow_unsafe_locale', 'url', 'use_appservice_legacy_authorization'],
};
export type Asked = typeof asked;

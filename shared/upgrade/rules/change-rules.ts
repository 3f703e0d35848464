/** Settings that must change, in order of release. */
import type { Sentence } from '../../sentence.ts';
import type { Configuration, SettingPosition } from '../configuration.ts';
import { anyIs, places, type Rule, valueIs } from './rule.ts';

const change = (note: string, setting: string, rule: Omit<Rule, 'note' | 'setting' | 'need'> = {}): Rule => ({
  note,
  setting,
  need: 'change',
  ...rule,
});

const hasMainFile = (configuration: Configuration) => configuration.some(({ isMain }) => isMain);
const isSet = ({ value }: SettingPosition) => value !== null;

const instanceMap: Sentence = {
  sentence:
    /*i18n*/ 'Remove it, and add main to instance_map in homeserver.yaml, with host, port and optionally tls.',
};
const notRedis = (configuration: Configuration) => !anyIs(configuration, 'redis.enabled', true);
/** Settings that verify registrations. */
export const verifications = [
  'registrations_require_3pid',
  'enable_registration_captcha',
  'registration_requires_token',
];
const isVerified = (configuration: Configuration) =>
  verifications.some((setting) =>
    places(configuration, setting).some(({ value }) => value === undefined || value === true),
  );

export const changeRules: readonly Rule[] = [
  ...['template_dir', 'email.template_dir', 'sso.template_dir', 'account_validity.template_dir'].map(
    (setting) =>
      change('1.41.0/template-dir', setting, {
        instead: {
          sentence:
            /*i18n*/ 'Move the templates to the templates.custom_template_directory directory, and remove this setting.',
        },
      }),
  ),
  change('1.53.0/webclient-listeners', 'listeners[].type', {
    when: valueIs('webclient'),
    refuses: true,
    instead: {
      sentence: /*i18n*/ 'Remove the listener, and serve the web client separately.',
    },
  }),
  change('1.53.0/webclient-listeners', 'web_client_location', {
    when: ({ value }) => value !== null && !(typeof value === 'string' && /^https?:\/\//.test(value)),
    refuses: true,
    instead: { sentence: /*i18n*/ 'Use an https:// or http:// URL, or remove it.' },
  }),
  change('1.53.0/cache-expiry-time', 'caches.expiry_time', {
    instead: {
      sentence: /*i18n*/ 'Set caches.expire_caches to true and caches.cache_entry_ttl to the lifetime.',
    },
  }),
  change('1.54.0/structured-logging', 'structured', { when: valueIs(true), refuses: true }),
  change('1.56.0/open-registration', 'enable_registration', {
    when: ({ value }, configuration) =>
      value === true &&
      !isVerified(configuration) &&
      !anyIs(configuration, 'enable_registration_without_verification', true),
    refuses: true,
    instead: {
      sentence:
        /*i18n*/ 'Set to false, require verification (registrations_require_3pid, enable_registration_captcha or registration_requires_token), or set enable_registration_without_verification to true.',
    },
  }),
  ...[
    ['synapse.app.appservice', 'notify_appservices_from_worker'],
    ['synapse.app.user_dir', 'update_user_directory_from_worker'],
  ].map(([workerType = '', setting = '']) =>
    change('1.59.0/dedicated-worker-types', 'worker_app', {
      when: valueIs(workerType),
      // The old worker type only starts if the main process is configured not to do its work.
      refuses: (_, configuration) =>
        hasMainFile(configuration) && !anyIs(configuration, setting.replace('_from_worker', ''), false),
      instead: {
        sentence:
          /*i18n*/ 'Use synapse.app.generic_worker instead of {workerType}, and add the worker to {setting} in homeserver.yaml.',
        values: { workerType, setting },
      },
    }),
  ),
  ...['notify_appservices', 'update_user_directory'].map((setting) =>
    change('1.59.0/dedicated-worker-types', setting, {
      when: ({ value }, configuration) =>
        value === false || places(configuration, `${setting}_from_worker`).length > 0,
      refuses: (_, configuration) => places(configuration, `${setting}_from_worker`).length > 0,
      instead: {
        sentence:
          /*i18n*/ "Remove it; {setting}_from_worker selects the worker. The server won't start if they conflict.",
        values: { setting },
      },
    }),
  ),
  ...['enable_group_creation', 'group_creation_prefix', 'experimental_features.groups_enabled'].map(
    (setting) => change('1.61.0/groups', setting, { instead: { sentence: /*i18n*/ 'Remove it.' } }),
  ),
  change('1.66.0/email-delegation', 'account_threepid_delegates.email', {
    when: isSet,
    refuses: true,
    instead: {
      sentence: /*i18n*/ 'Remove it, and configure the email section so the server sends email.',
    },
  }),
  ...['listeners[].type', 'worker_listeners[].type'].map((setting) =>
    change('1.67.0/tcp-replication', setting, {
      when: valueIs('replication'),
      refuses: true,
      instead: { sentence: /*i18n*/ 'Remove the listener; workers replicate through Redis.' },
    }),
  ),
  change('1.67.0/tcp-replication', 'worker_replication_port', {
    refuses: true,
    instead: {
      sentence: /*i18n*/ 'Remove it; workers replicate through Redis (redis.enabled in homeserver.yaml).',
    },
  }),
  change('1.67.0/tcp-replication', 'redis.enabled', {
    when: ({ value }, configuration) => value === false && configuration.some(({ isWorker }) => isWorker),
    instead: { sentence: /*i18n*/ 'Set to true.' },
  }),
  change('1.67.0/tcp-replication', 'worker_app', {
    when: ({ value }, configuration) =>
      value !== 'synapse.app.homeserver' &&
      hasMainFile(configuration) &&
      notRedis(configuration) &&
      places(configuration, 'redis.enabled').length === 0,
    instead: {
      sentence: /*i18n*/ 'Add redis with enabled: true to homeserver.yaml. Workers replicate through Redis.',
    },
    onlyWhileUpgrading: true,
  }),
  change('1.73.0/legacy-metrics', 'enable_legacy_metrics', { instead: { sentence: /*i18n*/ 'Remove it.' } }),
  ...['1.84.0', '1.88.0'].flatMap((release) =>
    ['worker_replication_host', 'worker_replication_http_port', 'worker_replication_http_tls'].map(
      (setting) =>
        change(`${release}/worker-replication-settings`, setting, {
          refuses: release === '1.88.0',
          instead: instanceMap,
        }),
    ),
  ),
  change('1.88.0/worker-replication-settings', 'instance_map', {
    when: (_, configuration) => places(configuration, 'instance_map.main').length === 0,
    instead: {
      sentence: /*i18n*/ 'Add main to it, with host, port and optionally tls.',
    },
    onlyWhileUpgrading: true,
  }),
  change('1.88.0/worker-replication-settings', 'worker_app', {
    refuses: true,
    when: ({ value }, configuration) =>
      value !== 'synapse.app.homeserver' &&
      hasMainFile(configuration) &&
      places(configuration, 'instance_map').length === 0,
    instead: {
      sentence: /*i18n*/ 'Add instance_map to homeserver.yaml, with host, port and optionally tls for main.',
    },
    onlyWhileUpgrading: true,
  }),
  change('1.120.0/msc3886-endpoint', 'experimental_features.msc3886_endpoint', {
    instead: { sentence: /*i18n*/ 'Remove it.' },
  }),
  ...['1.136.0/external-authentication-service', '1.157.0/msc3861'].map((note) =>
    change(note, 'experimental_features.msc3861', {
      refuses: note === '1.157.0/msc3861',
      instead: {
        sentence:
          /*i18n*/ 'Replace it with external_authentication_service (enabled, endpoint and secret). Needs service version 0.20.0+.',
      },
      topic: 'msc3861',
    }),
  ),
  change('1.146.0/dehydrated-devices', 'experimental_features.msc2697_enabled', {
    instead: { sentence: /*i18n*/ 'Remove it.' },
  }),
];

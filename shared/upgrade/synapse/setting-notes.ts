/** Settings of older releases, and empty ones that a release refuses, from Synapse's source. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from '../changes/note.ts';
import { tag } from './source.ts';

type SourceNote = { note: Note; source: string };

const row = (
  release: string,
  name: string,
  kind: Note['kind'],
  settings: string[],
  text: string,
  action: string,
): SourceNote => ({
  note: note(release, name, { touches: ['configuration'], kind, settings, text, action }),
  source: tag(release),
});

/** Not read by any release, from the given one on. */
const gone = (release: string, setting: string) =>
  row(
    release,
    setting,
    'removed',
    [setting],
    /*i18n*/ 'A setting of older releases, which is no longer read.',
    /*i18n*/ 'Remove it.',
  );

/** Still read; the release is the first one with its successor. */
const replaced = (release: string, setting: string, action: string) =>
  row(release, setting, 'deprecated', [setting], /*i18n*/ 'A setting of older releases, still read.', action);

export const formerSettings: readonly SourceNote[] = [
  gone('0.34.0', 'web_client'),
  gone('1.1.0', 'worker_cpu_affinity'),
  gone('1.3.0', 'expire_access_token'),
  gone('1.8.0', 'uploads_path'),
  gone('1.13.0', 'captcha_bypass_secret'),
  gone('1.35.0', 'tls_fingerprints'),
  gone('1.37.0', 'acme'),
  gone('1.48.0', 'trusted_third_party_id_servers'),
  gone('1.73.0', 'worker_main_http_uri'),
  replaced('0.99.5', 'rc_messages_per_second', /*i18n*/ 'Use rc_message.'),
  replaced('0.99.5', 'rc_message_burst_count', /*i18n*/ 'Use rc_message.'),
  ...['window_size', 'sleep_limit', 'sleep_delay', 'reject_limit', 'concurrent'].map((name) =>
    replaced('0.99.5', `federation_rc_${name}`, /*i18n*/ 'Use rc_federation.'),
  ),
  replaced('1.0.0', 'perspectives', /*i18n*/ 'Use trusted_key_servers.'),
  replaced('1.22.0', 'event_cache_size', /*i18n*/ 'Move it into the caches section.'),
  replaced('1.18.0', 'send_federation', /*i18n*/ 'Use federation_sender_instances.'),
  replaced('1.18.0', 'start_pushers', /*i18n*/ 'Use pusher_instances.'),
  replaced('1.26.0', 'oidc_config', /*i18n*/ 'Use oidc_providers.'),
  replaced('1.32.0', 'use_presence', /*i18n*/ 'Use presence.enabled.'),
  replaced('1.34.0', 'room_invite_state_types', /*i18n*/ 'Use room_prejoin_state.'),
  replaced('1.37.0', 'spam_checker', /*i18n*/ 'Load the module with modules.'),
  replaced('1.39.0', 'third_party_event_rules', /*i18n*/ 'Load the module with modules.'),
  replaced('1.46.0', 'password_providers', /*i18n*/ 'Load the module with modules.'),
  replaced(
    '1.66.0',
    'default_identity_server',
    /*i18n*/ 'Clients may still use this identity server. Keep it only if you run one.',
  ),
];

/** Refused in every release from the one given. */
export const trustedIdentityServer: SourceNote = row(
  '1.48.0',
  'trust_identity_server_for_password_resets',
  'removed',
  ['trust_identity_server_for_password_resets'],
  /*i18n*/ 'Password resets through an identity server were removed. Enabling them prevents startup.',
  /*i18n*/ 'Remove it, and configure the email section so the server sends email.',
);

export const emptyExperimentalFeatures: SourceNote = row(
  '1.157.0',
  'empty-experimental-features',
  'removed',
  ['experimental_features'],
  /*i18n*/ "v1.157.0, and no other version, won't start with an empty experimental_features.",
  /*i18n*/ 'Remove it, or upgrade to v1.157.1 or later.',
);

/** Tried with v1.160.0, one by one. */
export const emptySettings: SourceNote = row(
  '1.160.0',
  'empty-settings',
  'removed',
  [],
  /*i18n*/ "Without a value, this setting prevents startup (tried with v1.160.0; earlier versions weren't tried).",
  /*i18n*/ 'Give it a value, or remove it.',
);

/** The settings at the top that v1.160.0 refuses without a value. */
export const refusedEmpty: readonly string[] = `
app_service_config_files auto_join_rooms default_room_version enable_registration
enable_registration_without_verification encryption_enabled_by_default_for_room_type event_cache_size
extra_well_known_client_content federation federation_client_minimum_tls_version instance_map
key_refresh_interval listeners login_via_existing_session max_image_pixels max_spider_size max_upload_size
media_storage_providers media_store_path media_upload_limits perspectives rc_3pid_validation rc_admin_redaction
rc_delayed_event_mgmt rc_federation rc_invites rc_joins rc_joins_per_room rc_key_requests rc_login
rc_media_create rc_message rc_presence rc_registration rc_registration_token_validity rc_reports
rc_room_creation rc_third_party_invite rc_user_directory remote_media_download_burst_count
remote_media_download_per_second room_invite_state_types server_name signing_key thumbnail_sizes
track_puppeted_user_ips trusted_key_servers turn_user_lifetime user_types worker_listeners
`
  .trim()
  .split(/\s+/);

export const sourceNotes: readonly SourceNote[] = [
  ...formerSettings,
  trustedIdentityServer,
  emptyExperimentalFeatures,
  emptySettings,
];

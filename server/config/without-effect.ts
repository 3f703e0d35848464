/**
 * Settings that administrators of deployed servers have in their files and that change nothing here: this server
 * has no federation, no workers, no email, no single sign-on and no search.
 */
import { type Static, type TObject, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

/** The names of all of them. */
export const settingsWithoutEffect: ReadonlySet<string> = new Set(
  `
  account_threepid_delegates account_validity admin_contact allow_device_name_lookup_over_federation
  allow_guest_access allow_per_room_profiles allow_profile_lookup_over_federation
  allow_public_rooms_over_federation allow_public_rooms_without_auth allowed_avatar_mimetypes
  allowed_lifetime_max allowed_lifetime_min auto_accept_invites auto_join_mxid_localpart auto_join_rooms
  auto_join_rooms_for_guests autocreate_auto_join_room_preset autocreate_auto_join_rooms
  autocreate_auto_join_rooms_federated background_updates bcrypt_rounds block_non_admin_invites cas_config
  cors_allow_origin daemonize databases default_identity_server default_power_level_content_override
  default_room_version delete_stale_devices_after demultiplex disable_msisdn_registration
  dummy_events_threshold dynamic_thumbnails email enable_3pid_changes enable_3pid_lookup
  enable_local_media_storage enable_media_repo enable_metrics enable_room_list_search enable_search
  encryption_enabled_by_default_for_room_type exclude_rooms_from_sync experimental_features
  extra_well_known_client_content federation federation_certificate_verification_whitelist
  federation_client_minimum_tls_version federation_custom_ca_list federation_domain_whitelist
  federation_metrics_domains federation_rr_transactions_per_room_per_second federation_sender_instances
  federation_verify_certificates federation_whitelist_endpoint_enabled filter_timeline_limit
  forget_rooms_on_leave forgotten_room_retention_period form_secret form_secret_path gc_min_interval
  gc_thresholds hs_disabled hs_disabled_message html_dir include_profile_data_on_invite
  inhibit_user_logout instance_map ip_range_blacklist ip_range_whitelist key_refresh_interval
  limit_profile_requests_to_users_who_share_rooms limit_remote_rooms limit_usage_by_mau
  macaroon_secret_key macaroon_secret_key_path manhole_settings matrix_rtc mau_appservice_trial_days
  mau_limit_alerting mau_limit_reservered_threepids mau_stats_only mau_trial_days max_avatar_size
  max_event_delay_duration max_mau_value max_spider_size media_instance_running_background_jobs
  media_redirect_to_federation media_retention media_storage_providers media_upload_limits meta modules
  next_link_domain_whitelist no_tls nonrefreshable_access_token_lifetime notify_appservices
  notify_appservices_from_worker obsolete_server_keys oembed oidc_config oidc_providers old_signing_keys
  opentracing outbound_federation_restricted_to password_config pid_file prejoin_state presence
  prevent_media_downloads_from print_pidfile privacy_policy public_baseurl push pusher_instances
  rc_3pid_validation rc_admin_redaction rc_delayed_event_mgmt rc_federation
  rc_joins_per_room rc_key_requests rc_presence rc_registration_token_validity
  rc_remote_media rc_third_party_invite rc_user_directory recaptcha_private_key
  recaptcha_private_key_path recaptcha_public_key recaptcha_public_key_path recaptcha_siteverify_api
  redaction_retention_period redis refresh_token_lifetime refreshable_access_token_lifetime
  registration_shared_secret_path registrations_require_3pid remote_media_download_burst_count
  remote_media_download_per_second replication_torture_level report_stats report_stats_endpoint
  request_token_inhibit_3pid_errors require_auth_for_profile_requests require_membership_for_aliases
  restrict_public_rooms_to_local_users retention room_prejoin_state run_background_tasks_on saml2_config
  scheduled_tasks send_federation sentry serve_server_wellknown server_notices session_lifetime
  soft_file_limit spam_checker sso start_pushers statistics stream_writers suppress_key_server_warning
  templates third_party_event_rules thumbnail_sizes track_appservice_user_ips track_puppeted_user_ips
  trusted_key_servers trusted_third_party_id_servers
  turn_allow_guests turn_password turn_shared_secret turn_shared_secret_path turn_uris turn_user_lifetime
  turn_username ui_auth update_profile_information update_user_directory update_user_directory_from_worker
  url_preview_accept_language url_preview_enabled url_preview_ip_range_blacklist
  url_preview_ip_range_whitelist url_preview_url_blacklist use_presence user_agent_suffix user_consent
  user_directory user_ips_max_age user_types web_client web_client_location worker_app worker_name
  `
    .trim()
    .split(/\s+/),
);

const settings = {
  account_threepid_delegates: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  web_client_location: Type.Optional(
    Type.String({
      pattern: '^https?://',
      title: 'an HTTP or HTTPS address',
      examples: ['https://chat.example.org/'],
    }),
  ),
  notify_appservices: Type.Optional(Type.Boolean()),
  notify_appservices_from_worker: Type.Optional(Type.String()),
  update_user_directory: Type.Optional(Type.Boolean()),
  update_user_directory_from_worker: Type.Optional(Type.String()),
};
type Settings = Static<TObject<typeof settings>>;

/** Those with which a server has to refuse to start all the same. Interface: "Startup refusals". */
export const withoutEffect = section(settings, (written) => {
  if (written.account_threepid_delegates.email !== undefined) {
    throw new ConfigurationError(
      'account_threepid_delegates.email',
      'verifying email addresses through an identity server is no longer supported',
      'remove it',
    );
  }
  refuseContradiction(written, 'notify_appservices');
  refuseContradiction(written, 'update_user_directory');
  return {};
});

/** The old switch says whether the main process does a job, the new setting which worker does. */
function refuseContradiction(
  written: Settings,
  oldName: 'notify_appservices' | 'update_user_directory',
): void {
  const newName = `${oldName}_from_worker` as const;
  const [mainProcessDoesIt, worker] = [written[oldName], written[newName]];
  if (mainProcessDoesIt === undefined || worker === undefined) return;
  if (mainProcessDoesIt === (worker === 'main')) return;
  throw new ConfigurationError(
    oldName,
    `it contradicts ${newName}`,
    `remove it: ${newName} alone says where that work is done`,
  );
}

/** `homeserver.yaml` as it is written: the settings that this server knows, with their types. */
import { type Static, Type } from 'typebox';
import { CachesSetting } from './caches.ts';
import { DurationSetting } from './duration.ts';
import { RateLimitSetting } from './rate-limits.ts';
import { DirectoryRuleSetting } from './room-directory.ts';

const Port = Type.Integer({ minimum: 0, maximum: 65_535 });
/** A number, which may be written with a unit, such as `50M`. */
const Size = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]*[KMG]?$' })]);

export const Settings = Type.Object(
  {
    server_name: Type.String({
      pattern: '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
      maxLength: 230,
    }),
    listeners: Type.Array(
      Type.Object(
        {
          type: Type.Optional(Type.String()),
          port: Port,
          bind_addresses: Type.Optional(Type.Array(Type.String())),
          tls: Type.Optional(Type.Boolean()),
          x_forwarded: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: true },
      ),
    ),
    database: Type.Object(
      {
        name: Type.String(),
        args: Type.Optional(
          Type.Object({ database: Type.Optional(Type.String()) }, { additionalProperties: true }),
        ),
        allow_unsafe_locale: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: true },
    ),
    signing_key_path: Type.String(),
    media_store_path: Type.String(),
    max_upload_size: Size,
    max_image_pixels: Size,
    enable_authenticated_media: Type.Boolean(),
    api_dialects: Type.Array(Type.Union([Type.Literal('vendor'), Type.Literal('matrix')]), { minItems: 1 }),
    registration_shared_secret: Type.String({ minLength: 1 }),
    enable_registration: Type.Boolean(),
    enable_registration_without_verification: Type.Boolean(),
    registration_requires_token: Type.Boolean(),
    registrations_require_3pid: Type.Array(Type.String()),
    enable_registration_captcha: Type.Boolean(),
    app_service_config_files: Type.Array(Type.String()),
    use_appservice_legacy_authorization: Type.Boolean(),
    external_authentication_service: Type.Object(
      {
        enabled: Type.Boolean(),
        endpoint: Type.Optional(Type.String()),
        secret: Type.Optional(Type.String({ minLength: 1 })),
      },
      { additionalProperties: false },
    ),
    login_via_existing_session: Type.Object(
      {
        enabled: Type.Boolean(),
        require_ui_auth: Type.Optional(Type.Boolean()),
        token_timeout: Type.Optional(DurationSetting),
      },
      { additionalProperties: false },
    ),
    caches: CachesSetting,
    rc_login: Type.Object(
      {
        address: Type.Optional(RateLimitSetting),
        account: Type.Optional(RateLimitSetting),
        failed_attempts: Type.Optional(RateLimitSetting),
      },
      { additionalProperties: false },
    ),
    rc_registration: RateLimitSetting,
    rc_message: RateLimitSetting,
    rc_reports: RateLimitSetting,
    rc_joins: Type.Object({ local: Type.Optional(RateLimitSetting) }, { additionalProperties: true }),
    rc_invites: Type.Object(
      {
        per_room: Type.Optional(RateLimitSetting),
        per_user: Type.Optional(RateLimitSetting),
        per_issuer: Type.Optional(RateLimitSetting),
      },
      { additionalProperties: false },
    ),
    rc_room_creation: RateLimitSetting,
    rc_media_create: RateLimitSetting,
    rc_profile_changes: RateLimitSetting,
    rc_account_data: RateLimitSetting,
    room_list_publication_rules: Type.Array(DirectoryRuleSetting),
    alias_creation_rules: Type.Array(DirectoryRuleSetting),
    enable_set_displayname: Type.Boolean(),
    enable_set_avatar_url: Type.Boolean(),
    account_threepid_delegates: Type.Record(Type.String(), Type.Unknown()),
    web_client_location: Type.String(),
    log_config: Type.String(),
    notify_appservices: Type.Boolean(),
    notify_appservices_from_worker: Type.String(),
    update_user_directory: Type.Boolean(),
    update_user_directory_from_worker: Type.String(),
    jwt_config: Type.Object(
      {
        enabled: Type.Boolean(),
        secret: Type.Optional(Type.String({ minLength: 1 })),
        algorithm: Type.Optional(Type.String()),
        subject_claim: Type.Optional(Type.String({ minLength: 1 })),
        display_name_claim: Type.Optional(Type.String({ minLength: 1 })),
        issuer: Type.Optional(Type.String({ minLength: 1 })),
        audiences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: true },
);

/** What a file holds: any of the settings. */
export const PartialSettings = Type.Partial(Settings);
export type Settings = Static<typeof PartialSettings>;

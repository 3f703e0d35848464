import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type AccountTables = {
  users: {
    user_id: string;
    /** Null without a password. */
    password_hash: string | null;
    display_name: string | null;
    avatar_url: string | null;
    admin: Flag;
    deactivated: Flag;
    created_ts: number;
    /** Has no access until an administrator unlocks the account. */
    locked: Flag;
    /** May read but not write. */
    suspended: Flag;
    /** Whether the user's messages are silently dropped. */
    shadow_banned: Flag;
    /** Deactivated and erased: name, avatar and old messages are hidden. */
    erased: Flag;
    user_type: string | null;
    /** A guest account, without a password. */
    is_guest: Flag;
    /** The application service that registered the user. */
    app_service_id: string | null;
    last_seen_ts: number | null;
  };
  /** Number of users by each combination of the list's filters. */
  user_totals: {
    admin: Flag;
    deactivated: Flag;
    locked: Flag;
    /** Empty without a type. */
    user_type: string;
    part: number;
    total: number;
  };
  /** Email addresses and phone numbers. */
  user_threepids: {
    medium: string;
    address: string;
    user_id: string;
    validated_ts: number;
    added_ts: number;
  };
  /** IDs of users at external identity providers. */
  user_external_ids: { auth_provider: string; external_id: string; user_id: string };
  /** Last connections of users. */
  user_connections: {
    user_id: string;
    ip: string;
    user_agent: string;
    last_seen_ts: number;
  };
  devices: {
    user_id: string;
    device_id: string;
    display_name: string | null;
    last_seen_ts: number | null;
    last_seen_ip: string | null;
  };
  access_tokens: {
    /** SHA-256 of the token, which isn't stored itself. */
    token_hash: string;
    user_id: string;
    /** Null for a token without a device, such as an administrator's for a user. */
    device_id: string | null;
    created_ts: number;
    /** Null for a token that doesn't expire. */
    expires_ts: number | null;
    /** The administrator who uses the token to act as the user; null for the user's own. */
    made_for: string | null;
    /** Whether a refreshable token wasn't used yet. */
    unused: Flag;
  };
  /** Refresh tokens. */
  refresh_tokens: {
    token_hash: string;
    user_id: string;
    device_id: string;
    /** The access token issued with it. */
    access_hash: string;
    /** The refresh token that replaced it. */
    next_hash: string | null;
    /** Null if it doesn't expire. */
    expires_ts: number | null;
    /** When the session ends regardless of refreshes; null for never. */
    session_ends_ts: number | null;
  };
  /** OpenID tokens, which prove users' identities to third parties. */
  openid_tokens: { token_hash: string; user_id: string; expires_ts: number };
  /** Profile fields except display name and avatar. */
  profile_fields: {
    user_id: string;
    name: string;
    /** JSON. */
    value: string;
  };
  /** Words of display names and local parts, for the user directory. */
  user_words: { word: string; user_id: string };
  /** Single-use tokens for `m.login.token`. */
  login_tokens: {
    token_hash: string;
    user_id: string;
    expires_ts: number;
  };
  account_data: {
    user_id: string;
    /** Empty for global account data. */
    room_id: string;
    type: string;
    /** JSON. */
    content: string;
    /** Stream position of the change. */
    stream_id: Generated<number>;
  };
  registration_tokens: {
    token: string;
    /** Null for unlimited. */
    uses_allowed: number | null;
    completed: number;
    /** Null if it doesn't expire. */
    expiry_time: number | null;
  };
  /** Sessions of interactive authentication with at least one completed stage. */
  interactive_sessions: {
    session_id: string;
    expires_ts: number;
    /** Completed stages, separated by spaces. */
    completed: Generated<string>;
    /** The registration token of which the session reserves a use. */
    registration_token: string | null;
    /** When its request started; it can't be used again unless that fails. */
    used_ts: number | null;
    /** JSON: stored parameters of its requests. */
    said: string | null;
    /** The operation's result, to repeat for repeated requests. */
    result: string | null;
  };
  /** Used nonces of shared-secret registration, until they expire. */
  used_nonces: { nonce: string; expires_ts: number };
  /** Properties of this server's data, such as its server name. */
  server_facts: { name: string; value: string };
};

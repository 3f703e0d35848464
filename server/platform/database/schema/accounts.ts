import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type AccountTables = {
  users: {
    user_id: string;
    /** Null for an account that no password opens. */
    password_hash: string | null;
    display_name: string | null;
    avatar_url: string | null;
    admin: Flag;
    deactivated: Flag;
    created_ts: number;
    /** May do nothing until an administrator unlocks the account. */
    locked: Flag;
    /** May read, and not write. */
    suspended: Flag;
    /** What the user sends reaches nobody, and the user is not told. */
    shadow_banned: Flag;
    /** Deactivated for good: name, picture and old messages are hidden. */
    erased: Flag;
    user_type: string | null;
    /** Has no password and no account to come back to. */
    is_guest: Flag;
    /** The application service that registered the user. */
    app_service_id: string | null;
    last_seen_ts: number | null;
  };
  /** How many users have each combination of what the list is filtered by, so that a total is a small sum. */
  user_totals: {
    admin: Flag;
    deactivated: Flag;
    locked: Flag;
    /** Empty for an ordinary user. */
    user_type: string;
    part: number;
    total: number;
  };
  /** Email addresses and telephone numbers. */
  user_threepids: {
    medium: string;
    address: string;
    user_id: string;
    validated_ts: number;
    added_ts: number;
  };
  /** Who the user is at other identity providers. */
  user_external_ids: { auth_provider: string; external_id: string; user_id: string };
  /** From where a user was last seen. */
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
    /** SHA-256 of the token; the token itself is stored nowhere. */
    token_hash: string;
    user_id: string;
    /** Null for a token without a device, such as one made for an administrator. */
    device_id: string | null;
    created_ts: number;
    /** Null for a token that doesn't expire. */
    expires_ts: number | null;
    /** The administrator who uses the token to act as the user; null for the user's own. */
    made_for: string | null;
    /** Of a token that came with one to refresh it: whether it was never used. */
    unused: Flag;
  };
  /** Tokens that get a device a new access token. */
  refresh_tokens: {
    token_hash: string;
    user_id: string;
    device_id: string;
    /** The access token that was handed out with it. */
    access_hash: string;
    /** The refresh token that was handed out for it. */
    next_hash: string | null;
    /** Null for one that doesn't expire. */
    expires_ts: number | null;
    /** When the session ends, however often it is refreshed; null for never. */
    session_ends_ts: number | null;
  };
  /** Tokens with which users show to others who they are. */
  openid_tokens: { token_hash: string; user_id: string; expires_ts: number };
  /** What users say of themselves beside name and picture. */
  profile_fields: {
    user_id: string;
    name: string;
    /** JSON. */
    value: string;
  };
  /** The words of people's names and local parts, by which they are found. */
  user_words: { word: string; user_id: string };
  /** Short-term tokens for `m.login.token`, each good for one login. */
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
    /** The change that set it. */
    stream_id: Generated<number>;
  };
  registration_tokens: {
    token: string;
    /** Null for one that can be used any number of times. */
    uses_allowed: number | null;
    completed: number;
    /** Null for one that doesn't expire. */
    expiry_time: number | null;
  };
  /** Sessions of user-interactive authentication in which something was passed: one that was only begun has no row. */
  interactive_sessions: {
    session_id: string;
    expires_ts: number;
    /** The stages that were passed, with a space between two. */
    completed: Generated<string>;
    /** The registration token of which the session holds one use. */
    registration_token: string | null;
    /** When a request began to be carried out with it: it is good for no other then, unless that one fails. */
    used_ts: number | null;
    /** JSON: what its requests have said so far, where that is kept. */
    said: string | null;
    /** What came of it, where that is told again to whoever asks again. */
    result: string | null;
  };
  /** Nonces of the registration with a shared secret that were used, until they would have expired. */
  used_nonces: { nonce: string; expires_ts: number };
  /** Small facts about this server, such as the name that its data was made for. */
  server_facts: { name: string; value: string };
};

import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

/** What clients encrypt with. Everything named `json` is as clients gave it, without what the server adds. */
export type EncryptionTables = {
  device_keys: { user_id: string; device_id: string; json: string };
  one_time_keys: {
    user_id: string;
    device_id: string;
    algorithm: string;
    key_id: string;
    added_ts: number;
    json: string;
  };
  /** What is claimed once there is no one-time key left, any number of times. */
  fallback_keys: {
    user_id: string;
    device_id: string;
    algorithm: string;
    key_id: string;
    json: string;
    used: Flag;
  };
  /** Until the device has said that it has them. */
  to_device_messages: {
    user_id: string;
    device_id: string;
    stream_id: number;
    sender: string;
    type: string;
    content: string;
  };
  /** What was sent lately, so that sending it again sends nothing. */
  to_device_transactions: {
    user_id: string;
    /** Empty for who has no device. */
    device_id: string;
    type: string;
    transaction_id: string;
    sent_ts: number;
  };
  /** The device that takes messages while no other does; a user has one at most. */
  dehydrated_devices: { user_id: string; device_id: string; json: string };
  /** When users' devices or cross-signing keys changed last. */
  device_list_changes: {
    user_id: string;
    /** Whom it concerns alone; empty for everyone who shares an encrypted room. */
    seen_by: Generated<string>;
    stream_id: number;
  };
  cross_signing_keys: {
    user_id: string;
    usage: string;
    json: string;
    /** Of a master key: until when it may be replaced without the password. */
    free_until_ts: number | null;
  };
  /** Signatures that were added to devices and keys. */
  key_signatures: {
    /** Who signed. */
    user_id: string;
    key_id: string;
    target_user_id: string;
    /** A device, or the public part of a cross-signing key. */
    target_key: string;
    signature: string;
  };
  key_backups: {
    user_id: string;
    version: number;
    algorithm: string;
    auth_data: string;
    /** Changes whenever the keys do. */
    etag: Generated<number>;
    key_count: Generated<number>;
    deleted: Flag;
  };
  key_backup_sessions: {
    user_id: string;
    version: number;
    room_id: string;
    session_id: string;
    first_message_index: number;
    forwarded_count: number;
    is_verified: Flag;
    session_data: string;
  };
};

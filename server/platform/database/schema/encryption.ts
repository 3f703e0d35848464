import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

/** End-to-end encryption. Columns named `json` contain the JSON that clients sent. */
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
  /** Claimed repeatedly when there is no one-time key left. */
  fallback_keys: {
    user_id: string;
    device_id: string;
    algorithm: string;
    key_id: string;
    json: string;
    used: Flag;
  };
  /** Messages to devices, until the device has acknowledged them. */
  to_device_messages: {
    user_id: string;
    device_id: string;
    stream_id: number;
    sender: string;
    type: string;
    content: string;
  };
  /** Recent transaction IDs, to ignore repeated requests. */
  to_device_transactions: {
    user_id: string;
    /** Empty without a device. */
    device_id: string;
    type: string;
    transaction_id: string;
    sent_ts: number;
  };
  /** Dehydrated devices; at most one per user. */
  dehydrated_devices: { user_id: string; device_id: string; json: string };
  /** Last changes of users' devices or cross-signing keys. */
  device_list_changes: {
    user_id: string;
    /** The only user to notify; empty for all who share an encrypted room. */
    seen_by: Generated<string>;
    stream_id: number;
  };
  cross_signing_keys: {
    user_id: string;
    usage: string;
    json: string;
    /** For a master key: the time until which it can be replaced without authentication. */
    free_until_ts: number | null;
  };
  /** Signatures that users added to devices and keys. */
  key_signatures: {
    /** The signer. */
    user_id: string;
    key_id: string;
    target_user_id: string;
    /** A device ID or the public part of a cross-signing key. */
    target_key: string;
    signature: string;
  };
  key_backups: {
    user_id: string;
    version: number;
    algorithm: string;
    auth_data: string;
    /** Changes with the keys. */
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

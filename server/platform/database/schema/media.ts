import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type MediaTables = {
  media: {
    media_id: string;
    /** Who uploaded it. */
    user_id: string;
    content_type: string;
    upload_name: string | null;
    /** In bytes. */
    size: number;
    created_ts: number;
    /** Of the content, in hexadecimal. */
    sha256: string | null;
    /** Null where it was never fetched. */
    last_access_ts: number | null;
    /** The administrator who took it away from users, or `system` for what repeats quarantined content. */
    quarantined_by: string | null;
    /** Whether it can't be quarantined. */
    safe_from_quarantine: Flag;
    /** Whether only signed-in users get it: how `enable_authenticated_media` was when it was uploaded. */
    authenticated: Flag;
  };
  /** How much each user has uploaded, so that totals are one look-up. */
  media_totals: { user_id: string; media_count: number; media_length: number };
  /** How many users have uploaded something, in several parts; the database itself keeps these. */
  media_uploaders: { part: number; total: number };
  /** Thumbnails on the disk, and those that can't be made. */
  media_thumbnails: {
    media_id: string;
    size_name: string;
    /** Null where the content is no picture that a thumbnail can be made of. */
    content_type: string | null;
    /** In bytes. */
    size: number | null;
  };
  /** Addresses that were given out, to be filled by an upload until they expire. */
  pending_media: { media_id: string; user_id: string; created_ts: number; expires_ts: number };
  /** What was deleted here and may still be on the disk. */
  deleted_media: { media_id: string };
  /** What pages that people link to say of themselves. */
  url_previews: {
    id: Generated<number>;
    url: string;
    fetched_ts: number;
    /** JSON. */
    preview: string;
    /** The picture, among the uploads. */
    media_id: string | null;
  };
  /** Every time that something was quarantined or released, in order. */
  media_quarantine_changes: { id: Generated<number>; media_id: string; quarantined: Flag };
  /** Which media a room's events name; goes with the event. */
  room_media: { stream_ordering: number; room_id: string; server_name: string; media_id: string };
};

import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type MediaTables = {
  media: {
    media_id: string;
    /** The uploader. */
    user_id: string;
    content_type: string;
    upload_name: string | null;
    /** In bytes. */
    size: number;
    created_ts: number;
    /** Hash of the content, in hexadecimal. */
    sha256: string | null;
    /** Null if never accessed. */
    last_access_ts: number | null;
    /** The administrator who quarantined it, or `system` for a copy of quarantined content. */
    quarantined_by: string | null;
    /** Whether it's protected from quarantine. */
    safe_from_quarantine: Flag;
    /** Whether downloads need an access token: `enable_authenticated_media` at the upload. */
    authenticated: Flag;
  };
  /** Number and size of each user's uploads. */
  media_totals: { user_id: string; media_count: number; media_length: number };
  /** Number of users with uploads, as a sum of parts that triggers update. */
  media_uploaders: { part: number; total: number };
  /** Stored thumbnails, and failures to create some. */
  media_thumbnails: {
    media_id: string;
    size_name: string;
    /** Null if the content isn't a supported image. */
    content_type: string | null;
    /** In bytes. */
    size: number | null;
  };
  /** Media IDs that were created before their uploads. */
  pending_media: { media_id: string; user_id: string; created_ts: number; expires_ts: number };
  /** Deleted media whose files may still exist. */
  deleted_media: { media_id: string };
  /** Metadata of linked pages, for URL previews. */
  url_previews: {
    id: Generated<number>;
    url: string;
    fetched_ts: number;
    /** JSON. */
    preview: string;
    /** Media ID of the image. */
    media_id: string | null;
  };
  /** Quarantine changes in order. */
  media_quarantine_changes: { id: Generated<number>; media_id: string; quarantined: Flag };
  /** Media that a room's events refer to; deleted with the event. */
  room_media: { stream_ordering: number; room_id: string; server_name: string; media_id: string };
};

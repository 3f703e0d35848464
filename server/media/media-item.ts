import type { MediaItem } from '../../shared/api/media-administration.ts';
import type { Media } from './media-store.ts';

/** An upload as administrators get it. */
export const asMediaItem = (media: Media): MediaItem => ({
  media_id: media.mediaId,
  user_id: media.userId,
  media_type: media.contentType,
  media_length: media.size,
  upload_name: media.uploadName,
  created_ts: media.createdTs,
  last_access_ts: media.lastAccessTs,
  url_cache: null,
  quarantined_by: media.quarantinedBy,
  safe_from_quarantine: media.safeFromQuarantine,
  authenticated: media.authenticated,
  sha256: media.sha256,
});

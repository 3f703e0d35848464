import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Notifier } from '../core/notifier.ts';
import type { Database } from '../database/schema.ts';
import type { MediaAccess } from './media-access.ts';
import { isMediaId } from './media-address.ts';
import { findMedia, type Media } from './media-store.ts';
import { waitForUpload } from './pending-upload.ts';

export type MediaRequest = {
  serverName: string;
  mediaId: string;
  /** Whether it is asked for in the way that needs no signing in. */
  legacy: boolean;
  /** Whether an administrator wants to see what is quarantined. */
  evenQuarantined: boolean;
  /** How long to wait for what is still to be uploaded, in milliseconds. */
  timeoutMs: number;
  /** Ends the waiting. */
  signal: AbortSignal;
};

export type ServedMediaContext = {
  db: Database;
  config: Config;
  clock: Clock;
  mediaAccess: MediaAccess;
  notifier: Notifier;
};

/**
 * Finds media for who asks for its content. Interface: "Authentication" 5.
 *
 * @throws MatrixError 404 for what isn't there, is quarantined, or can't be had without signing in
 */
export async function findServedMedia(
  context: ServedMediaContext,
  { serverName, mediaId, legacy, evenQuarantined, timeoutMs, signal }: MediaRequest,
): Promise<Media> {
  const { db, config, mediaAccess } = context;
  // Media of other servers are not fetched: this one does not federate.
  if (serverName !== config.serverName || !isMediaId(mediaId)) throw notFound('Not found');
  const stored = await findMedia(db, mediaId);
  // What is uploaded from now on is not for who has not signed in, so there is nothing that they may wait for.
  if (legacy && config.enableAuthenticatedMedia && (stored?.authenticated ?? true))
    throw notFound('Not found');
  const media = stored ?? (await waitForUpload(context, mediaId, timeoutMs, signal));
  if (media.quarantinedBy !== null && !evenQuarantined) throw notFound('Not found');
  mediaAccess.note(media);
  return media;
}

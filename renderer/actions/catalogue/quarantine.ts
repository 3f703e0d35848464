/** Who keeps an upload in quarantine, and letting it out. */
import pLimit from 'p-limit';
import { mediumOf } from '../../api/media.ts';
import { setQuarantined } from '../../api/media-changes.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { changedSince } from '../changed-since.ts';

const atOnce = 4;

/** Who keeps an upload in quarantine; null for nobody, undefined where the server doesn't tell. */
export const keptBy = (server: Server, uri: string): Promise<string | null | undefined> =>
  mediumOf(server, uri).then(
    ({ quarantined_by: by }) => by ?? null,
    (error) => {
      if (error instanceof NotFound || error instanceof NoSuchEndpoint) return undefined;
      throw error;
    },
  );

/** Takes one's own quarantine back. @throws ConnectionFailure where a colleague keeps it by now */
export async function releaseOwn(server: Server, uri: string): Promise<void> {
  const by = await keptBy(server, uri);
  if (by === null) return;
  if (by !== undefined && by !== server.connection.userId) throw changedSince();
  await setQuarantined(server, uri, false);
}

async function releaseAny(server: Server, uri: string): Promise<void> {
  await setQuarantined(server, uri, false);
}

/** Releases uploads; the first refusal ends it. @returns how many */
export async function release(server: Server, uris: readonly string[], one = releaseAny): Promise<number> {
  const turn = pLimit(atOnce);
  await turn.map(uris, (uri) => one(server, uri)).finally(() => turn.clearQueue());
  return uris.length;
}

/** What the log and the row in the tray have of so many uploads. */
export const counted = (media: number) => ({ media, detail: `${media} media` });

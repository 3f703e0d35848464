/** The hashes of files in reported messages. */
import type { QueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { mediaUris } from '../../../../shared/media-uris.ts';
import { encryptedFileHashes } from '../../../../shared/team/word-lists.ts';
import { mediumQuery } from '../../../api/media.ts';
import type { Server } from '../../../transport/server.ts';

/** Files of a message: mxc URIs, and the SHA-256 hashes in the event, in hexadecimal digits. */
export type MessageFiles = { uris: readonly string[]; hashes: readonly string[] };

/** @param content untrusted */
export const messageFiles = (content: unknown): MessageFiles => ({
  uris: mediaUris(content).map(({ uri }) => uri),
  hashes: encryptedFileHashes(content),
});

/** Returns the hashes of a message's files that are known. @param hashOf returns the hash of the file at an mxc URI */
export const hashesOf = (
  { uris, hashes }: MessageFiles,
  hashOf: (uri: string) => string | undefined,
): readonly string[] => [...hashes, ...uris.flatMap((uri) => hashOf(uri) ?? [])];

const atOnce = 4;

/** Loads hashes of files by mxc URI. Those that the server doesn't provide are left out. */
export async function loadHashes(
  queryClient: QueryClient,
  server: Server,
  uris: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await pLimit(atOnce).map(new Set(uris), async (uri) => {
    const medium = await queryClient.fetchQuery(mediumQuery(server, uri)).catch(() => undefined);
    return medium?.sha256 ? [[uri, medium.sha256.toLowerCase()] as const] : [];
  });
  return new Map(found.flat());
}

/** Changes of media quarantine. Synapse's "Listing quarantine changes", since 1.152. */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';
import { ifSupported } from './optional.ts';

const Changes = Type.Object({
  next_batch: Type.Union([Type.Integer(), Type.String()]),
  changes: Type.Array(
    Type.Object({
      origin: Type.String(),
      media_id: Type.String(),
      // 0 or 1 on SQLite.
      quarantined: Type.Union([Type.Boolean(), Type.Integer()]),
    }),
  ),
});

export type QuarantineChange = { position: number; uri: string; isQuarantined: boolean };

/** The server returns up to 100 per request, oldest first. */
const maxRequests = 50;

/** Returns the changes, newest first. */
export const quarantineChangesQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'quarantine changes'],
    queryFn: async ({ signal }) => {
      const found: QuarantineChange[] = [];
      let from: string | number = 0;
      for (let request = 0; request < maxRequests; request++) {
        const page = await changesFrom(server, from, signal);
        for (const { origin, media_id, quarantined } of page.changes) {
          const uri = `mxc://${origin}/${media_id}`;
          found.push({ position: found.length, uri, isQuarantined: Boolean(quarantined) });
        }
        if (page.changes.length === 0 || page.next_batch === from) break;
        from = page.next_batch;
      }
      return { changes: found.reverse() };
    },
    staleTime: 30_000,
  });

const changesFrom = (server: Server, from: string | number, signal: AbortSignal) =>
  server.get(Changes, `/v1/media/quarantine_changes?from=${encodeURIComponent(from)}`, { signal });

/** Whether the server lists quarantine changes. Asked when the media screen opens. */
export const hasQuarantineChangesQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'has-quarantine-changes'],
    queryFn: async ({ signal }) => {
      const first = () => server.get(Type.Unknown(), '/v1/media/quarantine_changes', { signal });
      return (await ifSupported(server, 'quarantine_changes', first)) !== null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Server access control lists. Matrix specification, "Server Access Control Lists (ACLs) for rooms". */
import { type Static, Type } from 'typebox';
import { matchesGlob } from '../../../shared/glob.ts';
import { NotFound } from '../../transport/refusal.ts';
import { body, type Server } from '../../transport/server.ts';
import type { PolicyRule } from './policy-rules.ts';

const patterns = Type.Optional(Type.Array(Type.String()));
export const ServerAcl = Type.Object(
  { allow: patterns, deny: patterns, allow_ip_literals: Type.Optional(Type.Boolean()) },
  { additionalProperties: true },
);
export type ServerAcl = Static<typeof ServerAcl>;

/** Without an event, all servers are allowed; with one that has no `allow`, none. */
export const noAcl: ServerAcl = { allow: ['*'], deny: [], allow_ip_literals: true };

/**
 * Returns the servers that a list bans, sorted: names and globs of its server rules. Leaves out hashes, and all that
 * would match the own server.
 */
export function serversToDeny(
  rules: readonly PolicyRule[],
  ownServer: string,
): { servers: string[]; own: string[]; hashed: number } {
  const banning = rules.filter(
    ({ kind, recommendation }) =>
      kind === 'server' && (recommendation === 'ban' || recommendation === 'takedown'),
  );
  const allowed = rules.flatMap(({ kind, recommendation, entity }) =>
    kind === 'server' && recommendation === 'allow' && entity !== undefined ? entity.toLowerCase() : [],
  );
  const all = new Set(banning.flatMap(({ entity }) => entity?.toLowerCase() ?? []));
  const servers = [...all].filter((entity) => !allowed.includes(entity)).sort();
  const isOwn = (pattern: string) => coversServer(pattern, ownServer);
  return {
    servers: servers.filter((pattern) => !isOwn(pattern)),
    own: servers.filter(isOwn),
    hashed: banning.filter(({ entity }) => entity === undefined).length,
  };
}

/** ACLs compare names without the port. */
export const coversServer = (pattern: string, server: string): boolean =>
  matchesGlob(pattern.toLowerCase(), server.toLowerCase()) ||
  matchesGlob(pattern.toLowerCase(), server.toLowerCase().replace(/:\d+$/, ''));

/** Adds servers to an ACL. Never denies the own server. */
export function withDenied(acl: ServerAcl, servers: readonly string[], ownServer: string): ServerAcl {
  const added = servers.filter(
    (server) => !coversServer(server, ownServer) && !(acl.deny ?? []).includes(server),
  );
  return added.length === 0 ? acl : { ...acl, deny: [...(acl.deny ?? []), ...added] };
}

/** Removes servers from an ACL, and keeps concurrent additions. */
export const withoutDenied = (acl: ServerAcl, servers: readonly string[]): ServerAcl => ({
  ...acl,
  deny: (acl.deny ?? []).filter((server) => !servers.includes(server)),
});

const aclPath = (roomId: string) => `/client/v3/rooms/${encodeURIComponent(roomId)}/state/m.room.server_acl`;
const EventId = Type.Object({ event_id: Type.String() });

/** Returns a room's ACL. Only for members of the room. */
export async function getServerAcl(server: Server, roomId: string): Promise<ServerAcl> {
  try {
    return await server.getChat(ServerAcl, aclPath(roomId));
  } catch (error) {
    if (error instanceof NotFound) return noAcl;
    throw error;
  }
}

export const putServerAcl = (server: Server, roomId: string, acl: ServerAcl) =>
  server.sendChat('PUT', EventId, aclPath(roomId), { body: body(ServerAcl, acl) });

/** Which servers a room lets in. Matrix specification, client-server API, "Server Access Control Lists". */
import { isIPv4 } from 'node:net';
import type { JsonObject } from '../../shared/api/common.ts';
import { matchesGlob } from '../core/glob.ts';
import { unknownError } from '../core/matrix-error.ts';

/**
 * Refuses an `m.room.server_acl` that would shut this server itself out: nobody here could mend it.
 *
 * @throws MatrixError 400 `M_UNKNOWN`
 */
export function requireOwnEntry(content: JsonObject, serverName: string): void {
  if (!letsIn(content, serverName))
    throw unknownError("Can't create an ACL event that denies the local server");
}

/** What is no list, and what is no text in a list, says nothing; ports count for nothing. */
function letsIn({ allow, deny, allow_ip_literals: literals }: JsonObject, serverName: string): boolean {
  const host = serverName.replace(/:\d+$/, '');
  if (literals === false && (host.startsWith('[') || isIPv4(host))) return false;
  return !holds(deny, host) && holds(allow, host);
}

const holds = (patterns: unknown, host: string): boolean =>
  Array.isArray(patterns) &&
  patterns.some((pattern) => typeof pattern === 'string' && matchesGlob(pattern, host));

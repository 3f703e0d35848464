/** The rooms of a space, and of the spaces in it. Matrix specification, client-server API, "Spaces". */
import { forbidden } from '../../core/matrix-error.ts';
import type { Database } from '../../database/schema.ts';
import { listState } from '../current-state-store.ts';
import type { StoredEvent } from '../event-store.ts';
import { previewRoom, type RoomPreview } from './room-preview.ts';

export type HierarchyQuery = {
  suggestedOnly: boolean;
  maxDepth: number | undefined;
  /** How many rooms to pass over. */
  skip: number;
  limit: number;
};

type HierarchyRoom = RoomPreview & { children: StoredEvent[] };

export type HierarchyPage = {
  rooms: HierarchyRoom[];
  isLast: boolean;
};

/** So many rooms of a space are gone through, and so many children of one of them. */
const maximumRooms = 1_000;
const maximumChildren = 500;

/**
 * A page of a space's rooms, each before its own, as far as the reader may know of them.
 *
 * @throws MatrixError 403 for a space that the reader may know nothing of
 */
export async function readHierarchy(
  db: Database,
  roomId: string,
  userId: string,
  { suggestedOnly, maxDepth = Number.POSITIVE_INFINITY, skip, limit }: HierarchyQuery,
): Promise<HierarchyPage> {
  const rooms: HierarchyRoom[] = [];
  const seen = new Set<string>();
  const stack = [{ roomId, depth: 0 }];
  let passed = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (seen.has(next.roomId)) continue;
    if (seen.size >= maximumRooms) break;
    const preview = await previewRoom(db, next.roomId, userId);
    seen.add(next.roomId);
    if (!preview) {
      if (next.depth === 0) {
        throw forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);
      }
      continue;
    }
    if (rooms.length === limit) return { rooms, isLast: false };
    const isSpace = preview.room.roomType === 'm.space';
    const children = isSpace ? await listChildren(db, next.roomId, suggestedOnly) : [];
    if (passed < skip) passed++;
    else rooms.push({ ...preview, children });
    if (next.depth >= maxDepth) continue;
    for (const child of children.toReversed()) {
      stack.push({ roomId: child.pdu.state_key ?? '', depth: next.depth + 1 });
    }
  }
  return { rooms, isLast: true };
}

/** The children of a space that lead somewhere, in the order that the space gives them. */
async function listChildren(db: Database, roomId: string, suggestedOnly: boolean): Promise<StoredEvent[]> {
  const events = await listState(db, roomId, 'm.space.child');
  const leading = events.filter(({ pdu: { content }, redactedBy }) => {
    const leads = redactedBy === null && Array.isArray(content.via) && content.via.length > 0;
    return leads && (!suggestedOnly || content.suggested === true);
  });
  return leading.toSorted(byOrder).slice(0, maximumChildren);
}

/** Those with a place of their own first, the others by age. */
function byOrder({ pdu: one }: StoredEvent, { pdu: other }: StoredEvent): number {
  const [left, right] = [orderOf(one.content.order), orderOf(other.content.order)];
  if (left !== right) {
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return left < right ? -1 : 1;
  }
  const byAge = one.origin_server_ts - other.origin_server_ts;
  return byAge || ((one.state_key ?? '') < (other.state_key ?? '') ? -1 : 1);
}

const orderOf = (order: unknown) =>
  typeof order === 'string' && /^[\x20-\x7e]{1,50}$/.test(order) ? order : undefined;

/** What is kept as rows, in the shape of events: who writes, and how far people have read. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Receipt } from '../receipts/receipt-store.ts';

export type EphemeralEvent = { roomId: string; type: string; content: JsonObject };

export const typingEvents = (rooms: ReadonlyMap<string, string[]>): EphemeralEvent[] =>
  [...rooms].map(([roomId, userIds]) => ({ roomId, type: 'm.typing', content: { user_ids: userIds } }));

/** One event for each room. Matrix specification, client-server API, `m.receipt`. */
export function receiptEvents(receipts: readonly Receipt[]): EphemeralEvent[] {
  const rooms = new Map<string, Record<string, Record<string, Record<string, JsonObject>>>>();
  for (const { roomId, eventId, type, userId, ts, threadId } of receipts) {
    const content = rooms.get(roomId) ?? {};
    rooms.set(roomId, content);
    content[eventId] ??= {};
    content[eventId][type] ??= {};
    content[eventId][type][userId] = { ts, ...(threadId !== undefined && { thread_id: threadId }) };
  }
  return [...rooms].map(([roomId, content]) => ({ roomId, type: 'm.receipt', content }));
}

/** A room's state as a tree that folds: types, and the keys of each. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { text } from '../../../components/event/read-json.ts';

export type StateRow =
  | { kind: 'type'; id: string; type: string; count: number; isOpen: boolean }
  | { kind: 'event'; id: string; type: string; stateKey: string; event: JsonObject };

/** @param find in types, keys and senders; where it is said, every type is open */
export function stateRows(
  state: readonly JsonObject[],
  open: ReadonlySet<string>,
  find: string | undefined,
): StateRow[] {
  const wanted = find?.toLowerCase();
  const byType = new Map<string, JsonObject[]>();
  for (const event of state) {
    const type = text(event.type) ?? '';
    const words = `${type} ${text(event.state_key) ?? ''} ${text(event.sender) ?? ''}`.toLowerCase();
    if (wanted !== undefined && !words.includes(wanted)) continue;
    const ofType = byType.get(type) ?? [];
    ofType.push(event);
    byType.set(type, ofType);
  }
  return [...byType]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([type, events]): StateRow[] => {
      const isOpen = wanted !== undefined || open.has(type);
      const head: StateRow = { kind: 'type', id: `type ${type}`, type, count: events.length, isOpen };
      if (!isOpen) return [head];
      const rows = events
        .map((event): StateRow & { kind: 'event' } => ({
          kind: 'event',
          id: `event ${type} ${text(event.state_key) ?? ''}`,
          type,
          stateKey: text(event.state_key) ?? '',
          event,
        }))
        .sort((one, other) => compare(one.stateKey, other.stateKey));
      return [head, ...rows];
    });
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

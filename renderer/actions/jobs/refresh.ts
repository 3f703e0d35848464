/** What was loaded of what an action changed is asked for again: at once, and while many are changed not for each. */
import type { QueryClient } from '@tanstack/react-query';
import { type Item, keyOf, roomOf, userOf } from '../items.ts';

/** In milliseconds. */
const atMostEvery = 500;

/** What is shown of the server's work, which an action begins or has brought to its end. */
export const ofTasks = ['scheduled-tasks', 'task-trouble'];

const waiting = new Map<string, Set<string>>();

/** Asks again for everything of the server whose key names the item, what it belongs to, or one of `changes`. */
export function refresh(
  queryClient: QueryClient,
  serverId: string,
  item: Item,
  changes: readonly string[] = [],
) {
  const names = waiting.get(serverId);
  const more = [...namesOf(item), ...changes];
  if (names) {
    for (const name of more) names.add(name);
    return;
  }
  invalidate(queryClient, serverId, new Set(more));
  waiting.set(serverId, new Set());
  setTimeout(() => {
    const missed = waiting.get(serverId) ?? new Set();
    waiting.delete(serverId);
    if (missed.size > 0) invalidate(queryClient, serverId, missed);
  }, atMostEvery);
}

function invalidate(queryClient: QueryClient, serverId: string, names: ReadonlySet<string>) {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [of, ...key] }) =>
      of === serverId && key.some((part) => typeof part === 'string' && names.has(part)),
  });
}

const namesOf = (item: Item): string[] =>
  [
    keyOf(item),
    userOf(item),
    roomOf(item),
    item.kind === 'media' && 'userId' in item.of ? item.of.userId : undefined,
  ].filter((name) => name !== undefined);

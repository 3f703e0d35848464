import type { QueryClient } from '@tanstack/react-query';
import type { Server } from '../../transport/server.ts';
import { type Item, keyOf, roomOf, userOf } from '../items.ts';

const minIntervalMs = 500;

/** Resources that show tasks. */
export const ofTasks = ['scheduled-tasks', 'task-trouble'];

/** The names to refresh when the timer ends; undefined while there is none. */
function refreshState() {
  const state = {
    names: undefined as Set<string> | undefined,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    close: () => clearTimeout(state.timer),
  };
  return state;
}

/** Reloads the queries whose key names the item, its parent or one of `changes`: at once, then at most twice a second. */
export function refresh(
  queryClient: QueryClient,
  server: Server,
  item: Item,
  changes: readonly string[] = [],
) {
  const state = server.state(refreshState);
  const names = [...namesOf(item), ...changes];
  if (state.names) {
    for (const name of names) state.names.add(name);
    return;
  }
  invalidate(queryClient, server.id, new Set(names));
  state.names = new Set();
  state.timer = setTimeout(() => {
    const missed = state.names;
    state.names = undefined;
    if (missed?.size) invalidate(queryClient, server.id, missed);
  }, minIntervalMs);
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

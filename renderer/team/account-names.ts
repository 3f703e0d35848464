import { useQueries, useQuery } from '@tanstack/react-query';
import type { RefCallback } from 'react';
import { reportedAccountQuery } from '../api/reports/event-reports.ts';
import { offeredQuery } from '../api/supported-endpoints.ts';
import { useDwelledInView } from '../components/in-view.ts';
import { useServer } from '../console-context.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';

const maxLength = 60;

/** Returns loaded display names of users by ID, for local accounts only. */
function useDisplayNames(userIds: readonly string[], asks = true): ReadonlyMap<string, string> {
  const server = useServer();
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const ownServer = serverName(server.connection);
  const local = [...new Set(userIds)].filter((userId) => userId.slice(userId.indexOf(':') + 1) === ownServer);
  const enabled = asks && offered?.has('users') === true;
  const accounts = useQueries({
    queries: local.map((userId) => ({ ...reportedAccountQuery(server, userId), enabled })),
  });
  return new Map(
    accounts.flatMap(({ data }, index) => {
      const userId = local[index];
      return userId !== undefined && data?.displayname ? [[userId, data.displayname] as const] : [];
    }),
  );
}

/**
 * Returns a user's display name, if it's loaded.
 *
 * @param asks whether to load it
 */
export const useAccountName = (userId: string, asks = true): string | undefined =>
  useDisplayNames([userId], asks).get(userId);

/** Returns a ref and a user's display name, which is loaded once the ref's element has been visible for a moment. */
export function useNameInView(userId: string): [RefCallback<HTMLElement>, string | undefined] {
  const [ref, isVisible] = useDwelledInView();
  return [ref, useAccountName(userId, isVisible)];
}

/** Returns a function that names a user: by display name, if it's loaded, or else by ID. */
export function useAccountNames(userIds: readonly string[]): (userId: string) => string {
  const names = useDisplayNames(userIds);
  const ownServer = serverName(useServer().connection);
  return (userId) => ellipsize(names.get(userId) ?? shortId(userId, ownServer), maxLength);
}

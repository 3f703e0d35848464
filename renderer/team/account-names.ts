import { useQueries, useQuery } from '@tanstack/react-query';
import type { RefCallback } from 'react';
import { reportedAccountQuery } from '../api/reports/event-reports.ts';
import { useDwelledInView } from '../components/in-view.ts';
import { useServer } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';

const maxLength = 60;

const isLocal = (userId: string, server: Server) =>
  userId.slice(userId.indexOf(':') + 1) === serverName(server.connection);

/**
 * Returns the display name of a local user, if it's loaded.
 *
 * @param asks whether to load it
 */
export function useAccountName(userId: string, asks = true): string | undefined {
  const server = useServer();
  const enabled = asks && isLocal(userId, server);
  const { data } = useQuery({ ...reportedAccountQuery(server, userId), enabled });
  return data?.displayname || undefined;
}

/** Returns a ref and a user's display name, which is loaded once the ref's element has been visible for a moment. */
export function useNameInView(userId: string): [RefCallback<HTMLElement>, string | undefined] {
  const [ref, isVisible] = useDwelledInView();
  return [ref, useAccountName(userId, isVisible)];
}

/** Returns a function that names a user: by display name, if it's loaded, or else by ID. */
export function useAccountNames(userIds: readonly string[]): (userId: string) => string {
  const server = useServer();
  const local = [...new Set(userIds)].filter((userId) => isLocal(userId, server));
  const accounts = useQueries({ queries: local.map((userId) => reportedAccountQuery(server, userId)) });
  const names = new Map(local.map((userId, index) => [userId, accounts[index]?.data?.displayname]));
  return (userId) =>
    ellipsize(names.get(userId) || shortId(userId, serverName(server.connection)), maxLength);
}

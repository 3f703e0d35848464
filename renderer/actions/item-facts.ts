/** What is loaded already of those that something is done to: nothing is asked for. */
import type { QueryClient } from '@tanstack/react-query';
import { eventReportQuery } from '../api/event-reports.ts';
import { userQuery } from '../api/user.ts';
import type { UserListItem } from '../api/user-list.ts';
import type { Server } from '../transport/server.ts';
import { beginning } from '../words/beginning.ts';
import type { Item } from './subject.ts';

/** Enough to know a message by, in one line. */
const mostOfMessage = 200;

export type ItemFacts = {
  /** Whom it befalls, or who sent it. */
  userId?: string | undefined;
  name?: string | undefined;
  /** How the event's message begins. */
  words?: string | undefined;
};

/** Gives of each item what is known of it. */
export function itemFacts(queryClient: QueryClient, server: Server): (item: Item) => ItemFacts {
  let listed: ReadonlyMap<string, string> | undefined;
  const nameOf = (userId: string) => {
    listed ??= listedNames(queryClient, server);
    const user = queryClient.getQueryData(userQuery(server, userId).queryKey);
    return user?.displayname || listed.get(userId);
  };
  const wordsOf = (reportId: number) => {
    const report = queryClient.getQueryData(eventReportQuery(server, reportId).queryKey);
    const { body } = (report?.event_json.content ?? {}) as { body?: unknown };
    return typeof body === 'string' ? beginning(body, mostOfMessage).replace(/\s+/g, ' ').trim() : '';
  };
  return (item) => {
    if (item.kind === 'user' || item.kind === 'member')
      return { userId: item.userId, name: nameOf(item.userId) };
    if (item.kind !== 'event' || item.sender === undefined) return {};
    const [words] = (item.reportKind ? [] : (item.reports ?? [])).map(wordsOf).filter(Boolean);
    return { userId: item.sender, name: nameOf(item.sender), words };
  };
}

/** Of the pages of users that were looked at. */
function listedNames(queryClient: QueryClient, server: Server): ReadonlyMap<string, string> {
  const pages = queryClient.getQueriesData<{ rows?: readonly UserListItem[] }>({
    queryKey: [server.id, 'users'],
  });
  const rows = pages.flatMap(([, page]) => page?.rows ?? []);
  return new Map(rows.flatMap(({ name, displayname }) => (displayname ? [[name, displayname]] : [])));
}

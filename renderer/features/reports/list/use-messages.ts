import type { Query } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { EventReportDetail, EventReportItem } from '../../../../shared/api/reports.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { useCachedValue } from '../../../query-client.ts';
import { truncate } from '../../../words/clip.ts';
import type { Messages } from './filter.ts';
import { type MessageFiles, messageFiles } from './message-files.ts';

const atOnce = 4;
const maxMessageLength = 4000;

/**
 * The texts of reported messages. Lists don't include them: they are known for reports that were opened, and for others
 * once they are loaded one by one.
 *
 * @param areSearched whether the messages are searched; otherwise, opening a report doesn't rerender
 */
export function useMessages(areSearched: boolean) {
  const { queryClient } = useConsole();
  const server = useServer();
  const cache = queryClient.getQueryCache();
  const openedKey = useMemo(() => [server.id, 'event-reports', 'detail'], [server.id]);
  const [read, setRead] = useState<ReadonlyMap<string, Message>>(new Map());
  const [left, setLeft] = useState(0);
  const stopped = useRef(false);

  /** Number of opened reports. Those loaded here aren't cached. */
  const opened = useCachedValue((cache) =>
    areSearched ? cache.findAll({ queryKey: openedKey, predicate: isOpened }).length : 0,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of opened reports changes the result
  const shown = useMemo(() => {
    const all = cache.findAll({ queryKey: openedKey, predicate: isOpened });
    return new Map(
      all.map(({ state }) => {
        const { event_id: eventId, event_json: event } = state.data as EventReportDetail;
        return [eventId, messageOf(event.content)];
      }),
    );
  }, [cache, openedKey, opened]);
  const message: Messages = useCallback(
    (eventId) => (read.get(eventId) ?? shown.get(eventId))?.text,
    [read, shown],
  );
  const files = useCallback(
    (eventId: string) => (read.get(eventId) ?? shown.get(eventId))?.files,
    [read, shown],
  );

  async function load(reports: readonly EventReportItem[]) {
    const unread = reports.filter(({ event_id }) => message(event_id) === undefined);
    const wanted = new Map(unread.map(({ id, event_id }) => [event_id, id]));
    // Opened reports leave the cache some minutes later.
    const found = new Map([...shown, ...read]);
    stopped.current = false;
    setLeft(wanted.size);
    const turn = pLimit(atOnce);
    await turn.map(wanted, async ([eventId, id]) => {
      if (stopped.current) return;
      const report = await queryClient
        .fetchQuery({ ...eventReportQuery(server, id), gcTime: 0 })
        .catch(() => undefined);
      found.set(eventId, messageOf(report?.event_json.content));
      if (turn.pendingCount % 25 === 0 && !stopped.current) {
        setRead(new Map(found));
        setLeft(turn.pendingCount);
      }
    });
    setRead(new Map(found));
    setLeft(0);
  }

  return {
    read: message,
    /** Returns the files of a message; undefined if it isn't known. */
    files,
    /** Returns the number of reports whose message is known. */
    known: (of: readonly EventReportItem[]) =>
      of.filter(({ event_id }) => message(event_id) !== undefined).length,
    left,
    load,
    stop: () => {
      stopped.current = true;
      setLeft(0);
    },
  };
}

type Message = { text: string; files: MessageFiles };

const messageOf = (content: unknown): Message => ({
  text: bodyOf(content) ?? '',
  files: messageFiles(content),
});

const isOpened = ({ gcTime, state }: Query) => gcTime > 0 && state.data !== undefined;

/** Returns a message's text; undefined without content. */
export function bodyOf(content: unknown): string | undefined {
  if (content === undefined) return undefined;
  const { body } = (content ?? {}) as { body?: unknown };
  return typeof body === 'string' ? truncate(body, maxMessageLength) : '';
}

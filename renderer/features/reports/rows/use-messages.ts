import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
import { eventReportQuery } from '../../../api/event-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { Messages } from './sieve.ts';

const atOnce = 4;
const longestMessage = 4000;

/**
 * What the messages of reports say. The list doesn't hold them, so a search finds those that were opened,
 * and the others once they are asked for, one by one.
 */
export function useMessages(reports: readonly EventReportItem[]) {
  const { queryClient } = useConsole();
  const server = useServer();
  const cache = queryClient.getQueryCache();
  const [read, setRead] = useState<ReadonlyMap<number, string>>(new Map());
  const [left, setLeft] = useState(0);
  const stopped = useRef(false);

  /** How many are opened changes when one is; what they say is looked up then. */
  const opened = useSyncExternalStore(
    useCallback((tell: () => void) => cache.subscribe(() => tell()), [cache]),
    () => cache.findAll({ queryKey: [server.id, 'event-reports', 'detail'] }).length,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of opened reports is another answer
  const message: Messages = useCallback(
    (reportId) => {
      const content = queryClient.getQueryData(eventReportQuery(server, reportId).queryKey)?.event_json
        .content;
      return read.get(reportId) ?? bodyOf(content);
    },
    [queryClient, server, read, opened],
  );

  async function load() {
    const queue = reports.filter(({ id }) => message(id) === undefined).map(({ id }) => id);
    const found = new Map(read);
    stopped.current = false;
    setLeft(queue.length);
    const work = async () => {
      for (let id = queue.shift(); id !== undefined && !stopped.current; id = queue.shift()) {
        const report = await queryClient
          .fetchQuery({ ...eventReportQuery(server, id), gcTime: 0 })
          .catch(() => undefined);
        found.set(id, bodyOf(report?.event_json.content) ?? '');
        if (queue.length % 25 === 0) {
          setRead(new Map(found));
          setLeft(queue.length);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    setRead(new Map(found));
    setLeft(0);
  }

  return {
    read: message,
    /** Of so many of the reports that were looked through the message is known. */
    known: (of: readonly EventReportItem[]) => of.filter(({ id }) => message(id) !== undefined).length,
    left,
    load,
    stop: () => {
      stopped.current = true;
      setLeft(0);
    },
  };
}

/** What a message says, as far as it is words; undefined where there is no content. */
export function bodyOf(content: unknown): string | undefined {
  if (content === undefined) return undefined;
  const { body } = (content ?? {}) as { body?: unknown };
  return typeof body === 'string' ? body.slice(0, longestMessage) : '';
}

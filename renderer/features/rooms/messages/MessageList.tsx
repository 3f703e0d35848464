import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { KnownEvents } from '../../../components/event/EventName.tsx';
import { object, text } from '../../../components/event/read-json.ts';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import { continues, excerptOf } from '../../../subjects/conversation/conversation-events.ts';
import { useRemover } from '../../../subjects/conversation/removed-by.ts';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import classes from './RoomMessages.module.css';
import { TeamEvent } from './TeamEvent.tsx';

type Pages = {
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  error: Error | null;
  fetchPreviousPage: () => unknown;
  fetchNextPage: () => unknown;
};

type Props = {
  roomId: string;
  /** Oldest first. */
  events: readonly JsonObject[];
  /** What people are called in the room. */
  names: ReadonlyMap<string, string>;
  /** Where one begins to read; without it, at the end. */
  soughtId: string | undefined;
  query: Pages;
};

/** About as high as a message of one line is. */
const usualHeight = 56;
/** So near to an end of what is loaded, more is asked for. */
const near = 8;

/** A conversation of any length: only what shows is drawn, and what is read stays where it is when more comes. */
export function MessageList({ roomId, events, names, soughtId, query }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const ids = useMemo(
    () => events.map((event, index) => text(event.event_id) ?? `nameless ${index}`),
    [events],
  );
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 8,
  });

  // At first at the end, or at what was sought: until the person scrolls, whatever is measured or comes in.
  const untouched = useRef(true);
  const height = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when something became higher
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!untouched.current || !current) return;
    const at = soughtId === undefined ? -1 : ids.indexOf(soughtId);
    if (at === -1) current.scrollTop = current.scrollHeight;
    else virtualizer.scrollToIndex(at, { align: 'center' });
  }, [height, ids]);
  const touch = () => {
    untouched.current = false;
  };

  // Earlier ones come in above; what is read stays where it is.
  const first = useRef(ids[0]);
  useLayoutEffect(() => {
    const added = first.current === undefined ? -1 : ids.indexOf(first.current);
    first.current = ids[0];
    if (added <= 0 || untouched.current) return;
    const [offset] = virtualizer.getOffsetForIndex(added, 'start') ?? [0];
    virtualizer.scrollToOffset((virtualizer.scrollOffset ?? 0) + offset);
  }, [ids, virtualizer]);

  const [start, end] = [virtualizer.range?.startIndex ?? near + 1, virtualizer.range?.endIndex ?? 0];
  const { hasPreviousPage, hasNextPage, isFetching, isError, fetchPreviousPage, fetchNextPage } = query;
  useEffect(() => {
    if (isFetching || isError) return;
    if (hasPreviousPage && start < near) fetchPreviousPage();
    else if (hasNextPage && end > events.length - near) fetchNextPage();
  }, [
    start,
    end,
    events.length,
    hasPreviousPage,
    hasNextPage,
    isFetching,
    isError,
    fetchPreviousPage,
    fetchNextPage,
  ]);

  const removerOf = useRemover(roomId);
  const known = useMemo(() => {
    const byId = new Map(events.map((event) => [event.event_id, event]));
    return {
      nameOf: (id: string) => excerptOf(byId.get(id)),
      eventOf: (id: string) => byId.get(id),
      removerOf,
    };
  }, [events, removerOf]);

  return (
    <KnownEvents value={known}>
      {isError && (
        <p className={classes.failure} role="alert">
          {query.error && failureSentence(query.error)}{' '}
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => (start < near ? fetchPreviousPage() : fetchNextPage())}
          >
            {i18n.t('Retry')}
          </Button>
        </p>
      )}
      <section
        ref={scroller}
        className={classes.scroller}
        aria-label={i18n.t('Messages')}
        aria-busy={isFetching}
        onWheel={touch}
        onPointerDown={touch}
        onKeyDown={touch}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
        tabIndex={0}
      >
        {!hasPreviousPage && <p className={classes.end}>{i18n.t('Start of the stored history.')}</p>}
        <ol className={classes.list} style={{ height }}>
          {virtualizer.getVirtualItems().map(({ index, start: top, key }) => {
            const event = events[index];
            return (
              event && (
                <ConversationEvent
                  key={key}
                  event={event}
                  senderName={names.get(text(event.sender) ?? '')}
                  isSought={soughtId !== undefined && event.event_id === soughtId}
                  continues={continues(events[index - 1], event)}
                  said={isOfTeam(event) ? <TeamEvent event={event} /> : undefined}
                  place={{
                    index,
                    ref: virtualizer.measureElement,
                    style: {
                      position: 'absolute',
                      insetInline: 0,
                      insetBlockStart: 0,
                      transform: `translateY(${top}px)`,
                    },
                  }}
                />
              )
            );
          })}
        </ol>
        {!hasNextPage && <p className={classes.end}>{i18n.t('No later messages')}</p>}
      </section>
    </KnownEvents>
  );
}

/** Whether it is one that the consoles of a team send each other. */
const isOfTeam = (event: JsonObject) =>
  text(event.type)?.startsWith('io.gatehouse.team.') === true && object(event.content) !== undefined;

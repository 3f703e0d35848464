import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { nameOfAction } from '../../../actions/action-words.ts';
import type { RoomEvent } from '../../../api/team-room.ts';
import { KnownEvents } from '../../../components/event/EventName.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { object, text } from '../../../components/event/read-json.ts';
import { Said, Who } from '../../../components/event/Said.tsx';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import { continues, excerptOf, useRemover } from '../../../subjects/conversation/conversation-events.ts';
import type { Logged, ReportKind, Subject } from '../../../team/entries.ts';
import { lookingAt, readEntry } from '../../../team/room-events.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { number } from '../../../words/format.ts';
import classes from './MessageList.module.css';
import roomMessagesClasses from './RoomMessages.module.css';

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
        <p className={roomMessagesClasses.failure} role="alert">
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
        className={roomMessagesClasses.scroller}
        aria-label={i18n.t('Messages')}
        aria-busy={isFetching}
        onWheel={touch}
        onPointerDown={touch}
        onKeyDown={touch}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
        tabIndex={0}
      >
        {!hasPreviousPage && (
          <p className={roomMessagesClasses.end}>{i18n.t('Start of the stored history.')}</p>
        )}
        <ol className={roomMessagesClasses.list} style={{ height }}>
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
        {!hasNextPage && <p className={roomMessagesClasses.end}>{i18n.t('No later messages')}</p>}
      </section>
    </KnownEvents>
  );
}

/** Whether it is one that the consoles of a team send each other. */
const isOfTeam = (event: JsonObject) =>
  text(event.type)?.startsWith('io.gatehouse.team.') === true && object(event.content) !== undefined;

/** What the team's consoles tell each other in its room, in words; what is not of its shape is shown as it is. */
function TeamEvent({ event: json }: { event: JsonObject }) {
  const event = asRoomEvent(json);
  const body = readEntry(event)?.body;
  if (body) {
    return (
      <p className={classes.line}>
        <Entry body={body} />
      </p>
    );
  }
  const look = lookingAt(event);
  if (look === undefined) return <EventView event={json} brief />;
  const [of, id] = look?.split(' ') ?? [];
  return (
    <p className={classes.line}>
      {of === undefined
        ? i18n.t('Stopped viewing reports')
        : i18n.t('Viewing {report}', { report: reportsName(of as ReportKind, [Number(id)]) })}
    </p>
  );
}

/** As the team's log reads it; from a room's messages fields may lack. */
const asRoomEvent = (json: JsonObject): RoomEvent => ({
  type: text(json.type) ?? '',
  sender: text(json.sender) ?? '',
  event_id: text(json.event_id) ?? '',
  origin_server_ts: typeof json.origin_server_ts === 'number' ? json.origin_server_ts : 0,
  ...(text(json.state_key) !== undefined && { state_key: text(json.state_key) as string }),
  content: json.content,
});

function Entry({ body }: { body: Logged['body'] }) {
  if (body.type === 'mark') {
    const reports = reportsName(body.of ?? 'report', body.reports);
    switch (body.state) {
      case 'reviewed':
        return i18n.t('Resolved: {reports}', { reports });
      case 'escalated':
        return i18n.t('Escalated: {reports}', { reports });
      case 'open':
        return i18n.t('Reopened: {reports}', { reports });
    }
  }
  const subject = <SubjectName subject={body.subject} />;
  if (body.type === 'note') {
    return <Trans id="Note on {subject}: {text}" values={{ subject, text: <Said text={body.text} /> }} />;
  }
  // Within an element: what looks like a tag in a sentence is taken for one.
  const more = body.others?.length ?? 0;
  const whom =
    more > 0 ? (
      <Trans id="{named} and {more} more" values={{ named: subject, more: number(more) }} />
    ) : (
      subject
    );
  const values = { action: <bdi>{nameOfAction(body)}</bdi>, subject: whom };
  return (
    <>
      {body.outcome === 'done' && <Trans id="“{action}” done: {subject}" values={values} />}
      {body.outcome === 'failed' && <Trans id="“{action}” failed: {subject}" values={values} />}
      {body.outcome === 'undone' && <Trans id="“{action}” undone: {subject}" values={values} />}
      {body.reason && (
        <>
          {' · '}
          <Said text={body.reason} />
        </>
      )}
    </>
  );
}

/** So many are named. */
const mostNamed = 10;

function reportsName(kind: ReportKind, ids: readonly number[]): string {
  const more = ids.length - mostNamed;
  const named = ids.slice(0, mostNamed).join(', ');
  const values = {
    count: ids.length,
    ids: more > 0 ? i18n.t('{named} and {more} more', { named, more: number(more) }) : named,
  };
  switch (kind) {
    case 'report':
      return i18n.t('{count, plural, one {report {ids}} other {reports {ids}}}', values);
    case 'user_report':
      return i18n.t('{count, plural, one {user report {ids}} other {user reports {ids}}}', values);
    case 'room_report':
      return i18n.t('{count, plural, one {room report {ids}} other {room reports {ids}}}', values);
  }
}

function SubjectName({ subject }: { subject: Subject }) {
  switch (subject.kind) {
    case 'user':
      return <Who id={subject.userId} />;
    case 'room':
      return <Who id={subject.roomId} />;
    case 'event':
      return <Who id={subject.eventId} />;
    default:
      return reportsName(subject.kind, [subject.id]);
  }
}

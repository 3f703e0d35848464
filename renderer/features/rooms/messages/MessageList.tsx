import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { LogEntry, ReportKind, Subject } from '../../../../shared/team/entries.ts';
import { readEntry, readViewing } from '../../../../shared/team/room-events.ts';
import type { RoomEvent } from '../../../../shared/team/room-replies.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { EventLookupContext, QuotedText, UserMention } from '../../../components/event/EventReference.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { object, text } from '../../../components/event/read-json.ts';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import { continues, excerptOf, useTeamRedactor } from '../../../subjects/conversation/conversation-events.ts';
import { caseChangeSentence } from '../../../team/case-words.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { number } from '../../../words/format.ts';
import classes from './RoomMessages.module.css';

type Props = {
  roomId: string;
  /** Oldest first. */
  events: readonly JsonObject[];
  /** Display names by user ID. */
  names: ReadonlyMap<string, string>;
  /** The event to scroll to at first; undefined for the latest. */
  targetId: string | undefined;
  query: Pick<
    UseInfiniteQueryResult,
    | 'hasPreviousPage'
    | 'hasNextPage'
    | 'isFetching'
    | 'isError'
    | 'error'
    | 'fetchPreviousPage'
    | 'fetchNextPage'
  >;
};

/** In pixels, of a message of one line. */
const estimatedHeight = 56;
/** Loads more if the visible range is this close to either end, in events. */
const loadDistance = 8;

/** Virtual list of messages that loads more in both directions and keeps the scroll position. */
export function MessageList({ roomId, events, names, targetId, query }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const ids = useMemo(() => events.map((event, index) => text(event.event_id) ?? `no id ${index}`), [events]);
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 8,
  });

  // Stays at the target, or the end, until the user scrolls.
  const [isFollowing, setIsFollowing] = useState(true);
  const height = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change as rows are measured
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isFollowing || !element) return;
    const index = targetId === undefined ? -1 : ids.indexOf(targetId);
    if (index === -1) element.scrollTop = element.scrollHeight;
    else virtualizer.scrollToIndex(index, { align: 'center' });
  }, [height, ids]);
  const stopFollowing = () => setIsFollowing(false);

  // Keeps the visible messages in place when earlier ones are added above.
  const firstId = useRef(ids[0]);
  useLayoutEffect(() => {
    const added = firstId.current === undefined ? -1 : ids.indexOf(firstId.current);
    firstId.current = ids[0];
    if (added <= 0 || isFollowing) return;
    const [offset] = virtualizer.getOffsetForIndex(added, 'start') ?? [0];
    virtualizer.scrollToOffset((virtualizer.scrollOffset ?? 0) + offset);
  }, [ids, isFollowing, virtualizer]);

  const [start, end] = [virtualizer.range?.startIndex ?? loadDistance + 1, virtualizer.range?.endIndex ?? 0];
  // Before the list has scrolled to where it opens, the visible range is another one.
  const canLoad = !isFollowing || (start === 0 && end === events.length - 1);
  const { hasPreviousPage, hasNextPage, isFetching, isError, fetchPreviousPage, fetchNextPage } = query;
  useEffect(() => {
    if (!canLoad || isFetching || isError) return;
    if (hasPreviousPage && start < loadDistance) fetchPreviousPage();
    else if (hasNextPage && end > events.length - loadDistance) fetchNextPage();
  }, [
    canLoad,
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

  const removerOf = useTeamRedactor(roomId);
  const context = useMemo(() => {
    const byId = new Map(events.map((event) => [event.event_id, event]));
    return {
      nameOf: (id: string) => excerptOf(byId.get(id)),
      eventOf: (id: string) => byId.get(id),
      removerOf,
    };
  }, [events, removerOf]);

  return (
    <EventLookupContext value={context}>
      {isError && (
        <p className={classes.failure} role="alert">
          {query.error && failureSentence(query.error)}{' '}
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => (start < loadDistance ? fetchPreviousPage() : fetchNextPage())}
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
        onWheel={stopFollowing}
        onPointerDown={stopFollowing}
        onKeyDown={stopFollowing}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
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
                  isTarget={targetId !== undefined && event.event_id === targetId}
                  continues={continues(events[index - 1], event)}
                  content={isOfTeam(event) ? <TeamEvent event={event} /> : undefined}
                  position={{
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
    </EventLookupContext>
  );
}

const isOfTeam = (event: JsonObject) =>
  text(event.type)?.startsWith('io.gatehouse.team.') === true && object(event.content) !== undefined;

/** Describes an event of the team room; an unreadable one is shown like any other event. */
function TeamEvent({ event: json }: { event: JsonObject }) {
  const event = asRoomEvent(json);
  const body = readEntry(event)?.body;
  if (body) {
    return (
      <p className={classes.teamEvent}>
        <Entry body={body} />
      </p>
    );
  }
  const viewed = readViewing(event);
  if (viewed === undefined) return <EventView event={json} brief />;
  const [kind, id] = viewed?.split(' ') ?? [];
  return (
    <p className={classes.teamEvent}>
      {kind === undefined
        ? i18n.t('Stopped viewing reports')
        : i18n.t('Viewing {report}', { report: reportsName(kind as ReportKind, [Number(id)]) })}
    </p>
  );
}

/** Converts an event for the team log's readers; fields may be missing. */
const asRoomEvent = (json: JsonObject): RoomEvent => ({
  type: text(json.type) ?? '',
  sender: text(json.sender) ?? '',
  event_id: text(json.event_id) ?? '',
  origin_server_ts: typeof json.origin_server_ts === 'number' ? json.origin_server_ts : 0,
  ...(text(json.state_key) !== undefined && { state_key: text(json.state_key) as string }),
  content: json.content,
});

function Entry({ body }: { body: LogEntry['body'] }) {
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
  if (body.type === 'document') {
    const values = { kind: <QuotedText text={body.kind} />, key: <QuotedText text={body.key} /> };
    return body.content ? (
      <Trans id="Document saved: {kind} {key}" values={values} />
    ) : (
      <Trans id="Document deleted: {kind} {key}" values={values} />
    );
  }
  const subject = <SubjectName subject={body.subject} />;
  if (body.type === 'note') {
    return (
      <Trans id="Note on {subject}: {text}" values={{ subject, text: <QuotedText text={body.text} /> }} />
    );
  }
  if (body.type === 'case') {
    return (
      <>
        {subject}: {caseChangeSentence(body)}
      </>
    );
  }
  // Elements, not text: Trans would parse markup in plain values.
  const more = body.others?.length ?? 0;
  const subjects =
    more > 0 ? (
      <Trans id="{named} and {more} more" values={{ named: subject, more: number(more) }} />
    ) : (
      subject
    );
  const values = { action: <bdi>{actionLabel(body)}</bdi>, subject: subjects };
  return (
    <>
      {body.outcome === 'done' && <Trans id="“{action}” done: {subject}" values={values} />}
      {body.outcome === 'failed' && <Trans id="“{action}” failed: {subject}" values={values} />}
      {body.outcome === 'undone' && <Trans id="“{action}” undone: {subject}" values={values} />}
      {body.reason && (
        <>
          {' · '}
          <QuotedText text={body.reason} />
        </>
      )}
    </>
  );
}

const maxNamed = 10;

function reportsName(kind: ReportKind, ids: readonly number[]): string {
  const more = ids.length - maxNamed;
  const named = ids.slice(0, maxNamed).join(', ');
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
      return <UserMention id={subject.userId} />;
    case 'room':
      return <UserMention id={subject.roomId} />;
    case 'event':
      return <UserMention id={subject.eventId} />;
    default:
      return reportsName(subject.kind, [subject.id]);
  }
}

import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { type ConversationPage, conversationQuery } from '../../../api/event-context.ts';
import { KnownEvents } from '../../../components/event/EventName.tsx';
import { text } from '../../../components/event/read-json.ts';
import { useServer } from '../../../console-context.ts';
import classes from '../../../subjects/conversation/Conversation.module.css';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import {
  continues,
  eventsOnce,
  excerptOf,
  namesOf,
} from '../../../subjects/conversation/conversation-events.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/failure-sentence.ts';

/** What was said before and after, the reported message marked among it. */
export function Conversation({ report }: { report: EventReportDetail }) {
  const server = useServer();
  const query = useInfiniteQuery(conversationQuery(server, report.room_id, report.event_id));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading what was said around it…')}
      lines={12}
      gone={i18n.t('The server no longer has this event: its room or its history was purged.')}
    >
      {(data) => (
        <>
          <MoreButton
            label={i18n.t('Earlier messages')}
            end={i18n.t('The room begins here.')}
            icon={<IconArrowUp size={14} stroke={1.7} />}
            hasMore={query.hasPreviousPage}
            isLoading={query.isFetchingPreviousPage}
            error={query.isFetchPreviousPageError ? query.error : null}
            onMore={() => query.fetchPreviousPage()}
          />
          <Events report={report} data={data} />
          <MoreButton
            label={i18n.t('Later messages')}
            end={i18n.t('Nothing has happened since.')}
            icon={<IconArrowDown size={14} stroke={1.7} />}
            hasMore={query.hasNextPage}
            isLoading={query.isFetchingNextPage}
            error={query.isFetchNextPageError ? query.error : null}
            onMore={() => query.fetchNextPage()}
          />
        </>
      )}
    </Loaded>
  );
}

function Events({ report, data }: { report: EventReportDetail; data: InfiniteData<ConversationPage> }) {
  const events = useMemo(() => eventsOnce(data.pages), [data]);
  const names = useMemo(() => namesOf(data.pages), [data]);
  const known = useMemo(() => {
    const byId = new Map(events.map((event) => [event.event_id, event]));
    return {
      nameOf: (id: string) =>
        id === report.event_id ? i18n.t('the reported message') : excerptOf(byId.get(id)),
      eventOf: (id: string) => byId.get(id),
    };
  }, [events, report.event_id]);
  return (
    <KnownEvents value={known}>
      <ol className={classes.events} aria-label={i18n.t('Messages around the reported one')}>
        {events.map((event, index) => (
          <ConversationEvent
            key={text(event.event_id) ?? index}
            event={event}
            senderName={names.get(text(event.sender) ?? '')}
            isReported={event.event_id === report.event_id}
            isBySender={report.sender !== null && event.sender === report.sender}
            continues={continues(events[index - 1], event)}
          />
        ))}
      </ol>
    </KnownEvents>
  );
}

type MoreProps = {
  label: string;
  end: string;
  icon: ReactNode;
  hasMore: boolean;
  isLoading: boolean;
  error: Error | null;
  onMore: () => unknown;
};

function MoreButton({ label, end, icon, hasMore, isLoading, error, onMore }: MoreProps) {
  return (
    <div className={classes.more}>
      {hasMore ? (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={icon}
          loading={isLoading}
          onClick={() => onMore()}
        >
          {label}
        </Button>
      ) : (
        <span className={classes.end}>{end}</span>
      )}
      {error && <span role="alert">{failureSentence(error)}</span>}
    </div>
  );
}

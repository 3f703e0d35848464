import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { type ConversationPage, conversationQuery } from '../../../api/event-context.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { EventLookupContext, UserMention } from '../../../components/event/EventReference.tsx';
import { text } from '../../../components/event/read-json.ts';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { useServer } from '../../../console-context.ts';
import classes from '../../../subjects/conversation/Conversation.module.css';
import { ConversationEvent } from '../../../subjects/conversation/ConversationEvent.tsx';
import {
  continues,
  excerptOf,
  groupRedacted,
  namesOf,
  uniqueEvents,
  useTeamRedactor,
} from '../../../subjects/conversation/conversation-events.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { number } from '../../../words/format.ts';

/** The context, with the reported message highlighted. */
export function Conversation({ report }: { report: EventReportDetail }) {
  const server = useServer();
  const query = useInfiniteQuery(conversationQuery(server, report.room_id, report.event_id));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading context…')}
      lines={12}
      notFound={i18n.t('Event unavailable. Its room or history was purged.')}
    >
      {(data) => (
        <>
          <MoreButton
            label={i18n.t('Earlier messages')}
            end={i18n.t('Start of the room')}
            icon={<IconArrowUp size={14} stroke={1.7} />}
            hasMore={query.hasPreviousPage}
            isLoading={query.isFetchingPreviousPage}
            error={query.isFetchPreviousPageError ? query.error : null}
            onMore={() => query.fetchPreviousPage()}
          />
          <Events report={report} data={data} />
          <MoreButton
            label={i18n.t('Later messages')}
            end={i18n.t('No later messages')}
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
  const events = useMemo(() => uniqueEvents(data.pages), [data]);
  const names = useMemo(() => namesOf(data.pages), [data]);
  const removerOf = useTeamRedactor(report.room_id);
  const known = useMemo(() => {
    const byId = new Map(events.map((event) => [event.event_id, event]));
    return {
      nameOf: (id: string) =>
        id === report.event_id ? i18n.t('the reported message') : excerptOf(byId.get(id)),
      eventOf: (id: string) => byId.get(id),
      removerOf,
    };
  }, [events, report.event_id, removerOf]);
  const runs = useMemo(() => groupRedacted(events, report.event_id), [events, report.event_id]);
  const shown = (event: JsonObject, before: JsonObject | undefined) => (
    <ConversationEvent
      key={text(event.event_id) ?? events.indexOf(event)}
      event={event}
      senderName={names.get(text(event.sender) ?? '')}
      isReported={event.event_id === report.event_id}
      isByReportedUser={report.sender !== null && event.sender === report.sender}
      continues={continues(before, event)}
    />
  );
  return (
    <EventLookupContext value={known}>
      <ol className={classes.events} aria-label={i18n.t('Message context')}>
        {runs.map((run, index) => {
          const [first = {}] = run;
          if (run.length === 1) return shown(first, runs[index - 1]?.at(-1));
          return (
            <li key={text(first.event_id) ?? index} className={classes.event}>
              <Disclosure
                label={<RemovedRun count={run.length} sender={text(first.sender)} by={removerOf(first)} />}
              >
                <ol className={classes.run}>{run.map((event, place) => shown(event, run[place - 1]))}</ol>
              </Disclosure>
            </li>
          );
        })}
      </ol>
    </EventLookupContext>
  );
}

type RunProps = { count: number; sender: string | undefined; by: string | undefined };

/** Names a folded run of removed messages. */
function RemovedRun({ count, sender = i18n.t('an unknown sender'), by }: RunProps) {
  const user = <UserMention id={sender} />;
  return by === undefined ? (
    <Trans id="{count} messages by {user} redacted" values={{ count: number(count), user }} />
  ) : (
    <Trans
      id="{count} messages by {user} redacted by {remover}"
      values={{ count: number(count), user, remover: <UserMention id={by} /> }}
    />
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
      <FailureNote error={error} />
    </div>
  );
}

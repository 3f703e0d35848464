import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconCheck, IconTrashX } from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import type { Subject } from '../../../../shared/team/entries.ts';
import { currentEventQuery, laterEventsQuery } from '../../../api/event-context.ts';
import { QuotedText } from '../../../components/event/EventReference.tsx';
import { redactionSenderNote } from '../../../components/event/EventView.tsx';
import {
  bundledEdit,
  editedEvent,
  redactionOf,
  versionsOf,
} from '../../../components/event/event-versions.ts';
import { amount, object, text } from '../../../components/event/read-json.ts';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { UserChip } from '../../../subjects/chips.tsx';
import { redactedByTeam } from '../../../subjects/conversation/conversation-events.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { number } from '../../../words/format.ts';
import classes from './SinceThen.module.css';
import { Versions } from './Versions.tsx';

/** Changes since the report: redaction or edits. */
export function SinceThen({ report }: { report: EventReportDetail }) {
  const server = useServer();
  // If the reported event is an edit, the original event has the versions.
  const eventId = editedEvent(report.event_json) ?? report.event_id;
  const query = useQuery(currentEventQuery(server, report.room_id, eventId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading changes…')}
      notFound={i18n.t('Event unavailable. Its room or history was purged.')}
    >
      {({ event, end }) => {
        const redaction = redactionOf(event);
        if (redaction) return <Removed redaction={redaction} report={report} />;
        return <Edits report={report} event={{ ...event, event_id: eventId }} end={end} />;
      }}
    </Loaded>
  );
}

function Removed({ redaction, report }: { redaction: JsonObject; report: EventReportDetail }) {
  const at = amount(redaction.origin_server_ts);
  const subjects: Subject[] = [{ kind: 'event', roomId: report.room_id, eventId: report.event_id }];
  if (report.sender !== null) subjects.push({ kind: 'user', userId: report.sender });
  const signedBy = text(redaction.sender);
  const by =
    redactedByTeam(useTeam().timeline(...subjects), at) ??
    (signedBy === report.sender ? undefined : signedBy);
  const reason = text(object(redaction.content)?.reason);
  return (
    <div className={classes.line} data-kind="removed">
      <IconTrashX size={16} stroke={1.6} aria-hidden />
      <span>
        <strong>{i18n.t('Redacted.')}</strong> {i18n.t('No longer visible in the room. Server copy above.')}
        <span className={classes.facts}>
          {by !== undefined && (
            <>
              {i18n.t('By')} <UserChip kind={i18n.t('Redacted by')} id={by} />
            </>
          )}
          {by === undefined && signedBy !== undefined && (
            <span title={i18n.t(redactionSenderNote)}>{i18n.t("In the sender's name")}</span>
          )}
          {at !== undefined && <RelativeTime timestamp={at} long />}
          {reason ? (
            <span>
              {i18n.t('Reason:')} <QuotedText text={reason} />
            </span>
          ) : (
            <em>{i18n.t('No reason given')}</em>
          )}
        </span>
      </span>
    </div>
  );
}

type EditsProps = { report: EventReportDetail; event: JsonObject; end: string | undefined };

function Edits({ report, event, end }: EditsProps) {
  const server = useServer();
  const sender = text(event.sender) ?? '';
  const type = text(event.type) ?? '';
  const query = useInfiniteQuery({
    ...laterEventsQuery(server, report.room_id, String(event.event_id), {
      sender,
      types: [type],
      from: end ?? '',
    }),
    // State events are replaced, not edited.
    enabled: end !== undefined && event.state_key === undefined,
  });
  const later = query.data?.pages.flatMap(({ events }) => events) ?? [];
  const latest = bundledEdit(event);
  const versions = versionsOf(event, latest ? [...later, latest] : later);
  return (
    <>
      {versions.length > 1 ? (
        <Versions
          versions={versions}
          reportedAt={report.received_ts}
          isComplete={query.isSuccess && !query.hasNextPage}
        />
      ) : (
        !query.isLoading &&
        !query.error && (
          <div className={classes.line} data-quiet>
            <IconCheck size={13} stroke={1.6} aria-hidden />
            <span>{i18n.t('Not redacted or edited.')}</span>
          </div>
        )
      )}
      {query.isLoading && <span className={classes.note}>{i18n.t('Loading edits…')}</span>}
      <ScanMore
        query={query}
        failed={(why) => i18n.t("Couldn't check for edits: {why}", { why })}
        partly={i18n.t('Only the next {count} events were checked.', {
          count: number(later.length),
        })}
        further={i18n.t('Scan more')}
      />
    </>
  );
}

type Props = {
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** Error message. */
  failed: (why: string) => string;
  /** Number of scanned events. */
  partly: string;
  further: string;
};

/** Says that results may be incomplete, with a button to load more events. */
export function ScanMore({ query, failed, partly, further }: Props) {
  return (
    <>
      {query.error && (
        <span className={classes.scanMoreNote} role="alert">
          {failed(failureSentence(query.error))}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => query.refetch()}>
            {i18n.t('Retry')}
          </Button>
        </span>
      )}
      {query.hasNextPage && (
        <span className={classes.scanMoreNote}>
          {partly}{' '}
          <Button
            variant="subtle"
            size="compact-xs"
            loading={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {further}
          </Button>
        </span>
      )}
    </>
  );
}

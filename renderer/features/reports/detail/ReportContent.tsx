import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import type { EventReportDetail, EventReportItem } from '../../../../shared/api/reports.ts';
import { appealAction, denyAppeal, upholdAppeal } from '../../../../shared/team/appeals.ts';
import { holdEvidence, releaseEvidence, removeEvidence } from '../../../../shared/team/evidence.ts';
import { findDeletion } from '../../../../shared/team/fold.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { targetsOfReports } from '../../../actions/report-targets.ts';
import { messageReporterId } from '../../../actions/reporter-messages.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { reportsOnSenderQuery } from '../../../api/reports/event-reports.ts';
import { userQuery } from '../../../api/user.ts';
import { EventLookupContext } from '../../../components/event/EventReference.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { eventRelations } from '../../../components/event/message-content.ts';
import { useExposure } from '../../../components/exposure.ts';
import { useDwelledInView } from '../../../components/in-view.ts';
import { MediaReveal } from '../../../components/media/MediaReveal.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { StateMark } from '../../../components/State.tsx';
import { useServer } from '../../../console-context.ts';
import { ReportFilterContext, UserChip } from '../../../subjects/chips.tsx';
import { excerptOf, useTeamRedactor } from '../../../subjects/conversation/conversation-events.ts';
import { useReportIdsOnUser } from '../../../subjects/ReportCounts.tsx';
import { userStates } from '../../../subjects/user-states.ts';
import { Timeline } from '../../../team/Timeline.tsx';
import { useTeam } from '../../../team/use-team.ts';
import type { ReportSearch } from '../report-search.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';
import { ReportGone } from './NoReport.tsx';
import { OtherReports } from './OtherReports.tsx';
import classes from './ReportDetail.module.css';
import { EscalatedBy, ReportFacts, useSenderName } from './ReportFacts.tsx';
import { ReportToolbar, type ReportToolbarProps } from './ReportToolbar.tsx';
import { otherEvent, Surroundings } from './Surroundings.tsx';

type Props = {
  report: EventReportDetail;
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
};

/** The reported message, its reason, context, users and room; in columns if they fit. */
export const ReportContent = memo(function ReportContent({ report, onFilter, onOpen }: Props) {
  useExposure(useServer().id, report.id);
  return (
    <ReportFilterContext value={onFilter}>
      <MediaReveal>
        <div className={classes.content}>
          <div className={classes.main}>
            <EscalatedBy reportId={report.id} />
            <article className={classes.message} aria-label={i18n.t('Reported message')}>
              <Byline report={report} />
              <div className={classes.said}>
                <ReportedEvent report={report} />
              </div>
            </article>
            <Surroundings part="since" report={report} />
            <ReportFacts report={report} />
            <Surroundings part="about" report={report} />
            <Surroundings part="votes" report={report} />
          </div>
          <div className={classes.context}>
            <Surroundings part="conversation" report={report} />
          </div>
          <div className={classes.side}>
            <Surroundings part="sender" report={report} />
            <Timeline
              subject={{ kind: 'report', id: report.id }}
              related={subjectsOfReport(report)}
              reportIds={useReportIdsOnUser(report.sender, false)}
              actionLabel={actionLabel}
              reports={[{ id: report.id, by: report.user_id, at: report.received_ts, reason: report.reason }]}
            />
            <Surroundings part="room" report={report} />
          </div>
          <div className={classes.rest}>
            <OtherReports report={report} onFilter={onFilter} onOpen={onOpen} />
            <Surroundings part="source" report={report} />
          </div>
        </div>
      </MediaReveal>
    </ReportFilterContext>
  );
});

export type MissingReportProps = ListedProps & {
  reportId: number;
  /** Its row in the list, if loaded. */
  listed: EventReportItem | undefined;
};

type ListedProps = Omit<ReportToolbarProps, 'id' | 'of'> & {
  onFilter: (filters: Partial<ReportSearch>) => void;
};

/** A report that can't be loaded, from its row in the list. Synapse answers 404 when the event was purged. */
export function MissingReport({ reportId, listed, ...props }: MissingReportProps) {
  const isDeleted = findDeletion(useTeam().timeline({ kind: 'report', id: reportId })) !== undefined;
  return listed && !isDeleted ? (
    <ListedReport report={listed} {...props} />
  ) : (
    <ReportGone reportId={reportId} />
  );
}

function ListedReport({ report, onFilter, ...toolbar }: ListedProps & { report: EventReportItem }) {
  const on = useMemo(() => targetsOfReports([report]), [report]);
  const whole = useMemo(() => ({ ...report, event_json: {} }), [report]);
  return (
    <>
      <ReportToolbar id={report.id} of="report" {...toolbar} on={on} reporter={report.user_id} />
      <ReportFilterContext value={onFilter}>
        <div className={classes.content}>
          <div className={classes.main}>
            <p role="status">{i18n.t('The reported event is unavailable, possibly purged.')}</p>
            <ReportFacts report={whole} />
          </div>
          <div className={classes.side}>
            <Timeline
              subject={{ kind: 'report', id: report.id }}
              related={subjectsOfReport(report)}
              actionLabel={actionLabel}
              reports={[{ id: report.id, by: report.user_id, at: report.received_ts, reason: report.reason }]}
            />
          </div>
        </div>
      </ReportFilterContext>
    </>
  );
}

/** The sender's name in the room, and warnings about it. */
function Byline({ report }: { report: EventReportDetail }) {
  const [ref, isLookedAt] = useDwelledInView();
  const name = useSenderName(report, isLookedAt);
  const sent = report.event_json.origin_server_ts;
  return (
    <header ref={ref} className={classes.byline}>
      {report.sender === null ? (
        <strong>{i18n.t('Unknown sender')}</strong>
      ) : (
        <UserChip kind={i18n.t('Sender')} id={report.sender} name={name} large />
      )}
      {typeof sent === 'number' && <RelativeTime timestamp={sent} long />}
      {report.sender !== null && <SenderRecord userId={report.sender} />}
    </header>
  );
}

/** Actions on a user that aren't measures against them. */
const noMeasures = new Set<string>([
  messageReporterId,
  appealAction,
  upholdAppeal,
  denyAppeal,
  holdEvidence,
  releaseEvidence,
  removeEvidence,
]);

/** Facts about the sender that other parts of the screen have loaded. */
function SenderRecord({ userId }: { userId: string }) {
  const server = useServer();
  const { data: account } = useQuery({ ...userQuery(server, userId), enabled: false });
  const { data: reports } = useQuery({ ...reportsOnSenderQuery(server, userId), enabled: false });
  const measures = useTeam()
    .history([{ kind: 'user', userId }])
    .filter((entry) => entry.type === 'action' && !noMeasures.has(entry.action)).length;
  const created = account?.creation_ts;
  const facts = [
    ...(account ? userStates(account) : []).map((state) => <StateMark key={state.words} {...state} />),
    created && (
      <>
        {/* Some versions send milliseconds instead of seconds. */}
        {i18n.t('Created')} <RelativeTime timestamp={created < 1e11 ? created * 1000 : created} long />
      </>
    ),
    reports && reports.total > 1 && (
      <strong>
        {i18n.t('{count, plural, one {# other report} other {# other reports}}', {
          count: reports.total - 1,
        })}
      </strong>
    ),
    measures > 0 &&
      i18n.t('{count, plural, one {# earlier action} other {# earlier actions}}', { count: measures }),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <div className={classes.record}>
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts have no key
        <span key={index}>{fact}</span>
      ))}
    </div>
  );
}

/** The reported event, with names for the events that it refers to: one of them has its own section. */
function ReportedEvent({ report: { room_id: roomId, event_json: event } }: { report: EventReportDetail }) {
  const server = useServer();
  const otherId = otherEvent(event)?.eventId;
  const { thread } = eventRelations(event);
  const { data: other } = useQuery({ ...currentEventQuery(server, roomId, otherId ?? ''), enabled: false });
  const { data: root } = useQuery({
    ...currentEventQuery(server, roomId, thread ?? ''),
    enabled: thread !== undefined && thread !== otherId,
  });
  const removerOf = useTeamRedactor(roomId);
  const known = useMemo(() => {
    const eventOf = (id: string) => (id === otherId ? other?.event : id === thread ? root?.event : undefined);
    return { nameOf: (id: string) => excerptOf(eventOf(id)), eventOf, removerOf };
  }, [otherId, other, thread, root, removerOf]);
  return (
    <EventLookupContext value={known}>
      <EventView event={event} besideEventId={otherId} />
    </EventLookupContext>
  );
}

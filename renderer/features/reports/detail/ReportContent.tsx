import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { nameOfAction } from '../../../actions/action-words.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { EventLookupContext } from '../../../components/event/EventReference.tsx';
import { EventView } from '../../../components/event/EventView.tsx';
import { eventRelations } from '../../../components/event/message-content.ts';
import { Identity } from '../../../components/Identity.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { ReportFilterContext } from '../../../subjects/chips.tsx';
import { excerptOf, useTeamRedactor } from '../../../subjects/conversation/conversation-events.ts';
import { useDwelledInView } from '../../../subjects/in-view.ts';
import { useReportIdsOnUser } from '../../../subjects/ReportCounts.tsx';
import { Timeline } from '../../../team/Timeline.tsx';
import type { ReportSearch } from '../report-search.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';
import { OtherReports } from './OtherReports.tsx';
import classes from './ReportDetail.module.css';
import { EscalatedBy, ReportFacts, useSenderName } from './ReportFacts.tsx';
import { otherEvent, Surroundings } from './Surroundings.tsx';

type Props = {
  report: EventReportDetail;
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
};

/** What was reported, and what is around it; beside it, where there is room, by whom and where. */
export const ReportContent = memo(function ReportContent({ report, onFilter, onOpen }: Props) {
  return (
    <ReportFilterContext value={onFilter}>
      <div className={classes.content}>
        <div className={classes.main}>
          <EscalatedBy reportId={report.id} />
          <article className={classes.message} aria-label={i18n.t('Reported message')}>
            <Byline report={report} />
            <ReportedEvent report={report} />
          </article>
          <Surroundings part="about" report={report} />
          <Surroundings part="votes" report={report} />
          <Surroundings part="since" report={report} />
          <ReportFacts report={report} />
          <Surroundings part="conversation" report={report} />
        </div>
        <div className={classes.side}>
          <Timeline
            subject={{ kind: 'report', id: report.id }}
            also={subjectsOfReport(report)}
            reportIds={useReportIdsOnUser(report.sender, false)}
            nameOfAction={nameOfAction}
            reports={[{ id: report.id, by: report.user_id, at: report.received_ts, reason: report.reason }]}
          />
          <Surroundings part="sender" report={report} />
          <Surroundings part="room" report={report} />
        </div>
        <div className={classes.rest}>
          <OtherReports report={report} onFilter={onFilter} onOpen={onOpen} />
          <Surroundings part="source" report={report} />
        </div>
      </div>
    </ReportFilterContext>
  );
});

/** Who said it: the name by which the room sees them, and what is odd about it. */
function Byline({ report }: { report: EventReportDetail }) {
  const [ref, isLookedAt] = useDwelledInView();
  const name = useSenderName(report, isLookedAt);
  const sent = report.event_json.origin_server_ts;
  return (
    <header ref={ref} className={classes.byline}>
      {report.sender === null ? (
        <strong>{i18n.t('Unknown sender')}</strong>
      ) : (
        <span>
          <Identity id={report.sender} name={name} />
        </span>
      )}
      {typeof sent === 'number' && <RelativeTime timestamp={sent} long />}
    </header>
  );
}

/** The reported event, with words for the events that it names: one of them is shown in a part of its own. */
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

import { i18n } from '@lingui/core';
import { Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail, EventReportItem } from '../../../../shared/api/reports.ts';
import { reportsByEventQuery, reportsOnSenderQuery } from '../../../api/reports/event-reports.ts';
import { reportsPerPage } from '../../../api/reports/report-source.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { DisplayName, maxNameLength } from '../../../components/Identity.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { useAccountName } from '../../../team/account-names.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { ellipsize, truncate } from '../../../words/clip.ts';
import type { ReportSearch } from '../report-search.ts';
import classes from './ReportDetail.module.css';

type Props = {
  report: EventReportDetail;
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
};

/** Further reports are only counted. */
const maxListed = 5;

/** Other open reports on the same sender and event. */
export function OtherReports({ report, onFilter, onOpen }: Props) {
  const { sender } = report;
  if (sender === null) return null;
  return (
    <section className={classes.section} aria-label={i18n.t('Other event reports')}>
      <h2 className={classes.heading}>{i18n.t('Other event reports')}</h2>
      <OnSender report={report} sender={sender} onFilter={onFilter} onOpen={onOpen} />
    </section>
  );
}

function OnSender({ report, sender, onFilter, onOpen }: Props & { sender: string }) {
  const server = useServer();
  const { data, error } = useQuery(reportsOnSenderQuery(server, sender));
  // The page holds the newest reports on this sender; with more of them, the event can have more too.
  const isCapped = data !== undefined && data.total > reportsPerPage;
  const { data: byEvent } = useQuery({
    ...reportsByEventQuery(server, sender, report.room_id),
    enabled: isCapped,
  });
  if (error)
    return (
      <span className={classes.dim}>{i18n.t('Not available: {why}', { why: failureSentence(error) })}</span>
    );
  if (!data || (isCapped && !byEvent)) return <Skeleton height={12} width="45%" />;

  const onEvent = data.event_reports.filter(
    ({ id, event_id }) => id !== report.id && event_id === report.event_id,
  );
  const others = data.total - 1;
  const countOnEvent = byEvent ? Math.max(0, (byEvent.counts[report.event_id] ?? 0) - 1) : onEvent.length;

  return (
    <>
      <div className={classes.othersLine}>
        {others === 0 ? (
          <span className={classes.dim}>{i18n.t('None other against this sender')}</span>
        ) : (
          <UnstyledButton className={classes.link} onClick={() => onFilter({ sender })}>
            {i18n.t('{others, plural, other {# more against this sender}}', {
              others,
            })}
          </UnstyledButton>
        )}
        {countOnEvent === 0 ? (
          <span className={classes.dim}>{i18n.t('None other on this event')}</span>
        ) : (
          <UnstyledButton
            className={classes.link}
            onClick={() => onFilter({ sender, room: report.room_id })}
            title={i18n.t('Filters by sender and room')}
          >
            {byEvent && !byEvent.isComplete
              ? i18n.t('{count, plural, other {at least # more on this event}}', { count: countOnEvent })
              : i18n.t('{count, plural, other {# more on this event}}', {
                  count: countOnEvent,
                })}
          </UnstyledButton>
        )}
      </div>
      {onEvent.length > 0 && (
        <ul className={classes.others}>
          {onEvent.slice(0, maxListed).map((other) => (
            <OtherReport key={other.id} report={other} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </>
  );
}

function OtherReport({ report, onOpen }: { report: EventReportItem; onOpen: (reportId: number) => void }) {
  return (
    <li>
      <UnstyledButton className={classes.link} onClick={() => onOpen(report.id)}>
        <Reporter id={report.user_id} />:{' '}
        <HazardText text={truncate(report.reason ?? '', 160) || i18n.t('no reason')} />
      </UnstyledButton>{' '}
      <span className={classes.dim}>
        <RelativeTime timestamp={report.received_ts} />
      </span>
    </li>
  );
}

/** Renders a reporter by name, if it's loaded, or else by ID. */
function Reporter({ id }: { id: string }) {
  const name = useAccountName(id);
  return (
    <span title={id}>
      <Avatar id={id} name={name} size={15} />{' '}
      {name ? <DisplayName name={ellipsize(name, maxNameLength)} /> : <HazardText text={id} />}
    </span>
  );
}

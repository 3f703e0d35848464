import { i18n } from '@lingui/core';
import { Button, Checkbox, Skeleton, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Mark } from '../../../../shared/team/entries.ts';
import { eventReports } from '../../../api/reports/event-reports.ts';
import type { ReportOrder } from '../../../api/reports/report-source.ts';
import { reportWalkQuery } from '../../../api/reports/report-walk.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId, truncate } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { StateSign } from '../desk/Row.tsx';
import type { ReportGroup } from '../list/groups.ts';
import { useTombstones } from '../list/report-rows.ts';
import type { ReportSearch } from '../report-search.ts';
import { Excerpt, FoundInMessage, useFound } from '../SearchedWords.tsx';
import { Severity } from '../Severity.tsx';
import classes from './SubjectList.module.css';

type Props = {
  subject: ReportGroup;
  /** The server's order for them, if not all were scanned. */
  order: ReportOrder | undefined;
  currentId: number | undefined;
  selectedIds: ReadonlySet<number>;
  marks: ReadonlyMap<number, Mark>;
  onPress: (reportId: number, event: MouseEvent) => void;
  onSelect: (reports: readonly EventReportItem[], isSelected: boolean) => void;
  onChange: (changes: Partial<ReportSearch>) => void;
};

const shownAtOnce = 20;

/** A subject's reports, in the order in which keys move through them, with a button for more. */
export function SubjectReports({ subject, order, currentId, ...props }: Props) {
  const { selectedIds, marks } = props;
  const server = useServer();
  const { subject: request, only } = subject;
  const isOnServer = request !== undefined && order !== undefined;
  const query = useInfiniteQuery({
    ...reportWalkQuery(eventReports(server, request?.filter ?? {}), order ?? 'b'),
    enabled: isOnServer,
    gcTime: 60_000,
  });
  const tombstones = useTombstones('report');
  const [shown, setShown] = useState(shownAtOnce);

  const all = isOnServer ? (query.data?.pages.flatMap(({ reports }) => reports) ?? []) : subject.reports;
  const reports = all.filter(
    ({ id, event_id }) =>
      !tombstones.has(id) && (request?.eventId === undefined || event_id === request.eventId || !isOnServer),
  );
  // The server can't count reports on an event, only those on its sender in its room.
  const isOnEvent = request?.eventId !== undefined;
  const total = isOnServer && !isOnEvent ? query.data?.pages.at(-1)?.total : reports.length;
  const hasMore = reports.length > shown || (isOnServer && query.hasNextPage);

  function more() {
    setShown(shown + shownAtOnce);
    if (reports.length <= shown + shownAtOnce && isOnServer && query.hasNextPage) void query.fetchNextPage();
  }

  /** The user that the group's own row doesn't name: for a reporter the reported one, otherwise the reporter. */
  function other({ user_id, sender }: EventReportItem): string {
    const name = (id: string) => shortId(id, serverName(server.connection));
    if (subject.grouping !== 'reporter') return name(user_id);
    return sender === null ? i18n.t('unknown sender') : name(sender);
  }

  if (isOnServer && query.isPending) return <Skeleton className={classes.loading} height={10} width="60%" />;
  return (
    <div className={classes.reports}>
      <ul className={classes.reportList} aria-label={i18n.t('Reports in group')}>
        {reports.slice(0, shown).map((report) => {
          const state = marks.get(report.id)?.state ?? 'open';
          const isSelected = selectedIds.has(report.id);
          return (
            <li
              key={report.id}
              className={classes.reportRow}
              data-state={state}
              data-selected={isSelected || undefined}
              data-current={report.id === currentId || undefined}
            >
              <Checkbox
                size="xs"
                className={classes.select ?? ''}
                aria-label={i18n.t('Select report {id}', { id: report.id })}
                checked={isSelected}
                onChange={() => props.onSelect([report], !isSelected)}
              />
              <UnstyledButton
                className={classes.report}
                aria-current={report.id === currentId || undefined}
                onClick={(event) =>
                  event.ctrlKey || event.metaKey
                    ? props.onSelect([report], !isSelected)
                    : props.onPress(report.id, event)
                }
              >
                <span className={classes.state}>
                  <StateSign state={state} />
                </span>
                <What who={other(report)} report={report} />
                <span className={classes.when}>
                  <RelativeTime timestamp={report.received_ts} />
                </span>
                <Severity score={report.score} />
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      <div className={classes.more}>
        {total !== undefined && total > shown && (
          <span className={classes.when}>
            {i18n.t('{shown} of {total} shown', {
              shown: number(Math.min(shown, reports.length)),
              total: number(total),
            })}
          </span>
        )}
        <FailureNote error={query.error} />
        {hasMore && (
          <Button variant="subtle" size="compact-xs" loading={query.isFetchingNextPage} onClick={more}>
            {i18n.t('Show more')}
          </Button>
        )}
        {only && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => props.onChange({ ...only, group: undefined })}
          >
            {i18n.t('Show as list')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Renders the reporter and the reason, with the matches of a search. */
function What({ who, report }: { who: string; report: EventReportItem }) {
  const { inReason, inMessage } = useFound(report);
  return (
    <>
      <span className={classes.who}>
        <HazardText text={who} />
      </span>
      <span
        className={classes.reason}
        data-beside={inMessage !== undefined || undefined}
        title={report.reason ? truncate(report.reason, 1000) : undefined}
      >
        {inReason ? (
          <Excerpt pieces={inReason} />
        ) : (
          <HazardText text={truncate(report.reason?.trim() ?? '', 200) || i18n.t('No reason given')} />
        )}
      </span>
      {inMessage && <FoundInMessage pieces={inMessage} />}
    </>
  );
}

import { i18n } from '@lingui/core';
import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { reportWalkQuery } from '../../../api/report-walk.ts';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { serverName } from '../../../components/server-name.ts';
import { shortId } from '../../../components/short-id.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { ReportSearch } from '../report-search.ts';
import { Severity } from '../Severity.tsx';
import classes from './SubjectList.module.css';
import type { Subject } from './subjects.ts';

type Props = {
  subject: Subject;
  isWhole: boolean;
  currentId: number | undefined;
  onOpen: (reportId: number) => void;
  onChange: (changes: Partial<ReportSearch>) => void;
};

const shownAtOnce = 20;

/** A subject's reports, newest first, as many as one wants to see. */
export function SubjectReports({ subject, isWhole, currentId, onOpen, onChange }: Props) {
  const { deletedReports } = useConsole();
  const server = useServer();
  const { subject: asked, only } = subject;
  const isAsked = asked !== undefined && isWhole;
  const query = useInfiniteQuery({
    ...reportWalkQuery(server, asked?.filter ?? {}, 'b'),
    enabled: isAsked,
    gcTime: 60_000,
  });
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const [shown, setShown] = useState(shownAtOnce);

  const all = isAsked ? (query.data?.pages.flatMap(({ reports }) => reports) ?? []) : subject.reports;
  const reports = all.filter(
    ({ id, event_id }) =>
      !tombstones.has(id) && (asked?.eventId === undefined || event_id === asked.eventId || !isAsked),
  );
  const hasMore = reports.length > shown || (isAsked && query.hasNextPage);

  function more() {
    setShown(shown + shownAtOnce);
    if (reports.length <= shown + shownAtOnce && isAsked && query.hasNextPage) void query.fetchNextPage();
  }

  if (isAsked && query.isPending) return <Skeleton className={classes.loading} height={10} width="60%" />;
  return (
    <div className={classes.reports}>
      <ul className={classes.reportList} aria-label={i18n.t('Reports of this group')}>
        {reports.slice(0, shown).map((report) => (
          <li key={report.id}>
            <UnstyledButton
              className={classes.report}
              aria-current={report.id === currentId || undefined}
              onClick={() => onOpen(report.id)}
            >
              <span className={classes.reason} title={report.reason?.slice(0, 1000)}>
                <HazardText text={shortId(report.user_id, serverName(server.connection))} />
                {': '}
                <HazardText text={report.reason?.trim().slice(0, 200) || i18n.t('No reason given')} />
              </span>
              <span className={classes.when}>
                <RelativeTime timestamp={report.received_ts} />
              </span>
              <Severity score={report.score} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <div className={classes.more}>
        {query.isError && <span role="alert">{failureSentence(query.error)}</span>}
        {hasMore && (
          <Button variant="subtle" size="compact-xs" loading={query.isFetchingNextPage} onClick={more}>
            {i18n.t('Show more')}
          </Button>
        )}
        {only && (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange({ ...only, group: undefined })}>
            {i18n.t('Show as a list')}
          </Button>
        )}
      </div>
    </div>
  );
}

import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import { ScanBar } from '../../../components/ScanBar.tsx';
import { number } from '../../../words/format.ts';
import type { useMessages } from '../list/use-messages.ts';
import type { ReportList } from '../list/use-report-list.ts';
import { isByTime, isWhole } from '../report-search.ts';
import classes from './ScanProgress.module.css';

type Props<Report extends AnyReport> = { list: ReportList<Report>; children?: ReactNode };

/** Number of reports scanned for the list, with buttons to stop or continue. */
export function ScanProgress<Report extends AnyReport>({ list, children }: Props<Report>) {
  const { more, search } = list;
  const { queue, text, reason, since, until, order, group } = search;
  const isOnlyDays = Boolean(since || until) && !queue && reason === undefined && !order && !group;
  if (!more || more.total === undefined) return null;
  const { looked, total, isComplete, isById } = more;
  if ((isById || isOnlyDays) && isComplete && !text) return null;
  const numbers = { looked: number(looked), total: number(total) };
  return (
    <ScanBar
      summary={
        isById
          ? i18n.t('{looked} of {total} reports loaded', numbers)
          : isComplete
            ? i18n.t('All {total} reports scanned', numbers)
            : !group && !isByTime(search) && isWhole(search)
              ? i18n.t('Sorted the first {looked} of {total} reports', numbers)
              : i18n.t('{looked} of {total} reports scanned', numbers)
      }
      retryReason={more.waitsFor}
      error={more.query.error}
      isRunning={more.goesOn}
      progress={group && { value: looked, max: total }}
      isComplete={isComplete}
      onStop={more.stop}
      onContinue={more.further}
    >
      {children}
    </ScanBar>
  );
}

type MessagesReadProps = {
  reports: readonly EventReportItem[];
  messages: ReturnType<typeof useMessages>;
};

/** Number of messages searched for words, with a button to load the others. */
export function MessagesRead({ reports, messages }: MessagesReadProps) {
  const looked = reports.length;
  const known = messages.known(reports);
  return (
    <div className={classes.messages}>
      <output className={classes.said}>
        {known === looked
          ? i18n.t('Searched all reasons and messages')
          : i18n.t('Searched all reasons and {known} of {count} messages', {
              known: number(known),
              count: number(looked),
            })}
      </output>
      {messages.left > 0 ? (
        <>
          <progress
            className={classes.progress}
            max={looked}
            value={looked - messages.left}
            aria-label={i18n.t('Messages searched')}
          />
          <Button variant="subtle" size="compact-xs" onClick={messages.stop}>
            {i18n.t('Stop')}
          </Button>
        </>
      ) : (
        known < looked && (
          <Button variant="subtle" size="compact-xs" onClick={() => void messages.load(reports)}>
            {i18n.t('Search {count, plural, one {# more message} other {# more messages}}', {
              count: looked - known,
            })}
          </Button>
        )
      )}
    </div>
  );
}

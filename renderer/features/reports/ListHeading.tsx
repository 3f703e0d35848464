import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button, Loader } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import classes from './ListHeading.module.css';
import { NewReports } from './NewReports.tsx';
import type { ReportListQuery } from './report-list.ts';
import type { ReportSelection } from './report-selection.ts';

type Props = {
  query: ReportListQuery;
  filtered: boolean;
  total: number | undefined;
  selection: ReportSelection;
  allReviewed: boolean;
  onRemove: (reportIds: readonly number[]) => void;
  onToggleReviewed: (reportIds: readonly number[]) => void;
};

/** How many match, how fresh that is, and what can be done with those that are selected. */
export function ListHeading(props: Props) {
  const { query, filtered, total, selection, allReviewed } = props;
  const { selected } = selection;

  if (selected.size > 0) {
    return (
      <div className={classes.heading} data-selecting>
        <output className={classes.count}>
          {i18n.t('{count, plural, one {# selected} other {# selected}}', { count: selected.size })}
        </output>
        <Button variant="subtle" size="compact-xs" onClick={() => props.onToggleReviewed([...selected])}>
          {allReviewed ? i18n.t('Mark not reviewed') : i18n.t('Mark reviewed')}
        </Button>
        <Button
          variant="subtle"
          size="compact-xs"
          color="red"
          c="var(--gh-danger)"
          onClick={() => props.onRemove([...selected])}
        >
          {i18n.t('Delete')}
        </Button>
        <Button variant="subtle" size="compact-xs" color="gray" onClick={selection.clear}>
          {i18n.t('Clear')}
        </Button>
      </div>
    );
  }

  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label={i18n.t('Reports that match')}>
        {total !== undefined && countOf(total, filtered)}
      </output>
      {query.isError && query.data ? (
        <span className={classes.stale} title={failureSentence(query.error)} role="alert">
          {query.isFetchNextPageError ? (
            i18n.t('More could not be loaded')
          ) : (
            <Trans
              id="Not up to date: last loaded <0/>"
              components={{ 0: <RelativeTime timestamp={query.dataUpdatedAt} /> }}
            />
          )}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          >
            {i18n.t('Try again')}
          </Button>
        </span>
      ) : query.isFetching ? (
        <Loader size={12} role="img" aria-label={i18n.t('Refreshing')} />
      ) : (
        <NewReports />
      )}
    </div>
  );
}

const countOf = (total: number, filtered: boolean) =>
  filtered
    ? i18n.t('{total, plural, one {# report matches} other {# reports match}}', { total })
    : i18n.t('{total, plural, one {# report} other {# reports}}', { total });

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
        <output className={classes.count}>{selected.size.toLocaleString('en')} selected</output>
        <Button variant="subtle" size="compact-xs" onClick={() => props.onToggleReviewed([...selected])}>
          {allReviewed ? 'Mark not reviewed' : 'Mark reviewed'}
        </Button>
        <Button
          variant="subtle"
          size="compact-xs"
          color="red"
          c="var(--gh-danger)"
          onClick={() => props.onRemove([...selected])}
        >
          Delete
        </Button>
        <Button variant="subtle" size="compact-xs" color="gray" onClick={selection.clear}>
          Clear
        </Button>
      </div>
    );
  }

  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label="Reports that match">
        {total !== undefined && `${total.toLocaleString('en')} ${countWord(total, filtered)}`}
      </output>
      {query.isError && query.data ? (
        <span className={classes.stale} title={failureSentence(query.error)} role="alert">
          {query.isFetchNextPageError ? (
            'More could not be loaded'
          ) : (
            <>
              Not up to date: last loaded <RelativeTime timestamp={query.dataUpdatedAt} />
            </>
          )}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          >
            Try again
          </Button>
        </span>
      ) : query.isFetching ? (
        <Loader size={12} aria-label="Refreshing" />
      ) : (
        <NewReports />
      )}
    </div>
  );
}

function countWord(total: number, filtered: boolean): string {
  if (filtered) return total === 1 ? 'report matches' : 'reports match';
  return total === 1 ? 'report' : 'reports';
}

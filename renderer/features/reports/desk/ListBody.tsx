import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconFilterOff, IconFlagOff, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FailureMessage, StateMessage } from '../../../components/LoadStates.tsx';
import { NoSuchEndpoint } from '../../../transport/refusal.ts';
import type { ListStage } from '../list/list-state.ts';
import type { Queue } from '../report-search.ts';
import classes from './ReportDesk.module.css';
import { ReportListSkeleton } from './Row.tsx';

export type Listing = {
  query: {
    isPending: boolean;
    isFetching: boolean;
    error: Error | null;
    data: unknown;
    refetch: () => unknown;
  };
  stage: ListStage;
  queue: Queue | undefined;
  areMarksLoading: boolean;
};

type ListBodyProps = Listing & {
  /** Label of the command that runs once the list is loaded. */
  awaited: string | undefined;
  onClear: () => unknown;
  onScanMore: (() => void) | undefined;
  /** Empty state. */
  none: ReactNode;
  /** Shown if the server doesn't support these reports. */
  notOffered: string;
  notOfferedWhy: string | undefined;
  children: ReactNode;
};

const sign = { size: 24, stroke: 1.5 };

/** Returns whether the list is loading; false if that failed. */
export function isListLoading({ query, stage, queue, areMarksLoading }: Listing): boolean {
  // The marks determine the content of a queue.
  if (query.isPending || (queue && areMarksLoading)) return true;
  return stage === 'looking' && !hasFailed(query);
}

const hasFailed = ({ error, data }: Listing['query']) => error !== null && !data;

/** The list, or the reason why it's empty. */
export function ListBody({ awaited, ...props }: ListBodyProps) {
  const { query, stage, queue } = props;
  if (isListLoading(props)) return <ReportListSkeleton awaited={awaited} />;
  if (query.error && !query.data) {
    return query.error instanceof NoSuchEndpoint ? (
      <StateMessage
        icon={<IconFlagOff {...sign} />}
        title={props.notOffered}
        description={
          props.notOfferedWhy ?? i18n.t('This server may be an older version or different software.')
        }
      />
    ) : (
      <FailureMessage title={i18n.t("Couldn't load reports")} query={query} />
    );
  }
  switch (stage) {
    case 'looking':
    case 'found':
      return props.children;
    case 'filtered out':
      return (
        <StateMessage
          icon={<IconFilterOff {...sign} />}
          title={i18n.t('No matching reports')}
          description={i18n.t('No results for these filters.')}
        >
          <Button variant="default" onClick={() => void props.onClear()}>
            {i18n.t('Clear filters')}
          </Button>
        </StateMessage>
      );
    case 'queue empty':
      return (
        <StateMessage
          icon={<IconCircleCheck {...sign} />}
          title={queue === 'unreviewed' ? i18n.t('No open reports') : i18n.t('No reports in this queue')}
          description={
            queue === 'unreviewed'
              ? i18n.t('All reports are resolved or escalated.')
              : i18n.t('Reports with this status appear here.')
          }
        />
      );
    case 'none found yet':
      return (
        <StateMessage
          icon={<IconInbox {...sign} />}
          title={i18n.t('None found yet')}
          description={i18n.t("Some reports aren't scanned yet.")}
        >
          <Button variant="default" onClick={props.onScanMore}>
            {i18n.t('Scan more')}
          </Button>
        </StateMessage>
      );
    case 'no reports':
      return (
        <StateMessage icon={<IconInbox {...sign} />} title={i18n.t('No reports')} description={props.none} />
      );
  }
}

type Props = {
  by: 'filters' | 'queue';
  /** Shows the list that contains it. */
  onClear: () => unknown;
};

/** Explains why the open report isn't in the list. */
export const NotInList = ({ by, onClear }: Props) => (
  <div className={classes.notInList} role="status">
    <IconFilterOff size={15} stroke={1.6} aria-hidden />
    <span>
      {by === 'filters' ? i18n.t('Filters hide this report.') : i18n.t("This report isn't in this queue.")}
    </span>
    <Button variant="subtle" size="compact-xs" onClick={() => void onClear()}>
      {by === 'filters' ? i18n.t('Clear filters') : i18n.t('Show all reports')}
    </Button>
  </div>
);

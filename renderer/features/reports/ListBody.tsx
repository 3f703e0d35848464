import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconFilterOff, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { isFiltered, withoutFilters } from './narrowing.ts';
import { ReportListSkeleton } from './ReportListSkeleton.tsx';
import type { ReportSearch } from './report-search.ts';
import type { ReportListState } from './rows/use-report-list.ts';

type Props = {
  list: ReportListState;
  search: ReportSearch;
  areMarksKnown: boolean;
  onChange: (changes: Partial<ReportSearch>) => void;
  /** The list, where there is one to show. */
  children: ReactNode;
};

/** The list, or why there is none: loading, failed, empty and emptied by filters are told apart. */
export function ListBody({ list, search, areMarksKnown, onChange, children }: Props) {
  const { framed, walk, sieved, isSieved } = list;
  const isWalked = isSieved || search.group !== undefined;
  const query = isWalked ? walk.query : framed.query;

  // Without the marks nobody knows what belongs into a queue.
  if (query.isPending || (search.queue && !areMarksKnown)) return <ReportListSkeleton />;
  if (query.isError && !query.data) {
    return (
      <FailureMessage
        title={i18n.t('The reports could not be loaded')}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  // Of those with a mark there may be none, and others all the same.
  const isAny = walk.looked > 0 || (walk.isOneByOne && framed.rows.count > 0);
  if (isWalked ? isAny : list.rows.count > 0) {
    if (!isWalked || sieved.found > 0) return children;
    if (sieved.goesOn) return <ReportListSkeleton />;
    if (search.queue && !isFiltered(search)) return <EmptyQueue list={list} search={search} />;
  }
  if (!isWalked && search.queue && framed.total > 0 && !isFiltered(search)) {
    return <EmptyQueue list={list} search={search} />;
  }
  return isFiltered(search) ? (
    <StateMessage
      icon={<IconFilterOff size={24} stroke={1.5} />}
      title={i18n.t('No report matches')}
      description={i18n.t('There may be others: these filters leave none.')}
    >
      <Button variant="default" onClick={() => onChange(withoutFilters)}>
        {i18n.t('Clear filters')}
      </Button>
    </StateMessage>
  ) : (
    <StateMessage
      icon={<IconInbox size={24} stroke={1.5} />}
      title={i18n.t('No reports')}
      description={
        <>
          {i18n.t('Nobody has reported anything on this server.')} <SampleDataHint />
        </>
      }
    />
  );
}

function EmptyQueue({ list, search }: Pick<Props, 'list' | 'search'>) {
  if (list.isSieved && !list.walk.isComplete) {
    return (
      <StateMessage
        icon={<IconInbox size={24} stroke={1.5} />}
        title={i18n.t('None found so far')}
        description={i18n.t('Not all reports were looked through.')}
      >
        <Button variant="default" onClick={list.sieved.lookFurther}>
          {i18n.t('Look further')}
        </Button>
      </StateMessage>
    );
  }
  return (
    <StateMessage
      icon={<IconCircleCheck size={24} stroke={1.5} />}
      title={
        search.queue === 'unreviewed' ? i18n.t('Everything is reviewed') : i18n.t('No report in this queue')
      }
      description={
        search.queue === 'unreviewed'
          ? i18n.t('Each report on this server has been looked at.')
          : i18n.t('Reports come here when someone of the team marks them so.')
      }
    />
  );
}

import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconFilterOff, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FiledKind } from '../../../api/filed-reports.ts';
import { FailureMessage } from '../../../components/FailureMessage.tsx';
import { StateMessage } from '../../../components/StateMessage.tsx';
import { ReportListSkeleton } from '../ReportListSkeleton.tsx';
import type { FiledReportSearch } from './filed-report-search.ts';
import type { useFiledList } from './use-filed-list.ts';

type Props = {
  kind: FiledKind;
  list: ReturnType<typeof useFiledList>;
  search: FiledReportSearch;
  areMarksKnown: boolean;
  /** Undefined where nothing is filtered. */
  onClear: (() => void) | undefined;
  children: ReactNode;
};

/** The list, or why there is none. */
export function FiledBody({ kind, list, search, areMarksKnown, onClear, children }: Props) {
  const { query, rows, goesOn } = list;
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
  if (rows.count > 0) return children;
  if (goesOn) return <ReportListSkeleton />;
  if (onClear) {
    return (
      <StateMessage
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title={i18n.t('No report matches')}
        description={i18n.t('There may be others: these filters leave none.')}
      >
        <Button variant="default" onClick={onClear}>
          {i18n.t('Clear filters')}
        </Button>
      </StateMessage>
    );
  }
  if (list.looked > 0) {
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
  return (
    <StateMessage
      icon={<IconInbox size={24} stroke={1.5} />}
      title={i18n.t('No reports')}
      description={
        kind === 'user'
          ? i18n.t('Nobody has reported a user as a whole.')
          : i18n.t('Nobody has reported a room as a whole.')
      }
    />
  );
}

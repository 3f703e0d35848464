import { i18n } from '@lingui/core';
import { Button, Loader } from '@mantine/core';
import { IconArrowUp, IconRefresh, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { number } from '../../../words/format.ts';
import classes from '../ListHeading.module.css';
import type { FiledReportSearch } from './filed-report-search.ts';
import type { useFiledList } from './use-filed-list.ts';

type Props = {
  list: ReturnType<typeof useFiledList>;
  search: FiledReportSearch;
  onChange: (changes: Partial<FiledReportSearch>) => void;
};

/** How many match, how fresh that is, and their order. */
export function FiledHeading({ list, search, onChange }: Props) {
  const { query, rows, arrived } = list;
  const isOldest = search.dir === 'f';
  const count = search.queue ? rows.count : (list.total ?? 0);
  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label={i18n.t('Reports that match')}>
        {list.total !== undefined &&
          (search.queue && !list.isComplete
            ? i18n.t('{count, plural, one {# report found} other {# reports found}}', { count })
            : i18n.t('{count, plural, one {{shown} report} other {{shown} reports}}', {
                count,
                shown: number(count),
              }))}
      </output>
      {query.isError && query.data ? (
        <span className={classes.stale} role="alert" title={failureSentence(query.error)}>
          {i18n.t('More could not be loaded')}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => void query.refetch()}
          >
            {i18n.t('Try again')}
          </Button>
        </span>
      ) : (
        query.isFetching && <Loader size={12} role="img" aria-label={i18n.t('Refreshing')} />
      )}
      <output>
        {arrived > 0 && (
          <Button
            variant="light"
            size="compact-xs"
            leftSection={<IconArrowUp size={12} />}
            onClick={() => void list.renew()}
          >
            {i18n.t('{count, plural, one {# new report} other {# new reports}}', { count: arrived })}
          </Button>
        )}
      </output>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={isOldest ? <IconSortAscending size={14} /> : <IconSortDescending size={14} />}
        onClick={() => onChange({ dir: isOldest ? undefined : 'f' })}
      >
        {isOldest ? i18n.t('Oldest first') : i18n.t('Newest first')}
      </Button>
    </div>
  );
}

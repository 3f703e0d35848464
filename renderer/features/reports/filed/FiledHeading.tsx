import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { number } from '../../../words/format.ts';
import { ListHeading } from '../desk/ListHeading.tsx';
import type { FiledReportSearch } from './filed-report-search.ts';
import type { FiledList } from './use-filed-list.ts';

type Props = {
  list: FiledList;
  onChange: (changes: Partial<FiledReportSearch>) => void;
  onShowNew: () => unknown;
};

/** How many match, how fresh that is, and their order. */
export function FiledHeading({ list, onChange, onShowNew }: Props) {
  const { query, dir } = list;
  const isOldest = dir === 'f';
  return (
    <ListHeading
      count={countOf(list)}
      trouble={
        query.error && query.data ? { what: i18n.t("Couldn't load more"), why: query.error } : undefined
      }
      onRetry={query.refetch}
      isFetching={query.isFetching}
      arrived={list.arrived}
      end={isOldest ? 'bottom' : 'top'}
      onShowNew={onShowNew}
    >
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={isOldest ? <IconSortAscending size={14} /> : <IconSortDescending size={14} />}
        onClick={() => onChange({ dir: isOldest ? undefined : 'f' })}
      >
        {isOldest ? i18n.t('Oldest first') : i18n.t('Newest first')}
      </Button>
    </ListHeading>
  );
}

function countOf({ total, rows, matching }: FiledList): string | undefined {
  if (total === undefined) return undefined;
  if (matching === undefined) {
    return i18n.t('{count, plural, one {# report} other {# reports}} found', { count: rows.count });
  }
  return i18n.t('{count, plural, one {{shown} report} other {{shown} reports}}', {
    count: matching,
    shown: number(matching),
  });
}

import { i18n } from '@lingui/core';
import { ActionIcon, Popover, Skeleton, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useMarks } from '../../../team/use-team.ts';
import { isNarrowed } from '../narrowing.ts';
import type { ReportSearch } from '../report-search.ts';
import { sieve } from '../rows/sieve.ts';
import type { ReportListState } from '../rows/use-report-list.ts';
import { useExport } from './use-export.ts';

const ExportPanel = lazy(() => import('./ExportPanel.tsx'));

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  search: ReportSearch;
  list: ReportListState;
};

/** An export goes on while its panel is closed. */
export function ExportMenu({ opened, onOpen, search, list }: Props) {
  const marks = useMarks();
  const { queue, text, reason, since, until } = search;
  const job = useExport({
    filter: list.filter,
    dir: list.dir,
    marks,
    messages: list.messages.read,
    wanted: (report) =>
      sieve([report], { queue, text, reason, since, until }, marks, list.messages.read).length > 0,
  });
  return (
    <Popover opened={opened} onChange={onOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={i18n.t('Export as a file')}>
          <ActionIcon size={22} aria-label={i18n.t('Export reports')} onClick={() => onOpen(!opened)}>
            <IconDownload size={14} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={i18n.t('Export reports')}>
        <Suspense fallback={<Skeleton height={40} width={200} />}>
          <ExportPanel
            isSieved={queue !== undefined || isNarrowed(search)}
            count={list.framed.total}
            job={job}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

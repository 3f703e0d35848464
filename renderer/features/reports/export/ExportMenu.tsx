import { i18n } from '@lingui/core';
import { ActionIcon, Popover, Skeleton, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { ReportSearch } from '../report-search.ts';
import type { ReportListState } from '../rows/use-report-list.ts';

const ExportPanel = lazy(() => import('./ExportPanel.tsx'));

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  search: ReportSearch;
  list: ReportListState;
};

/** An export goes on while its panel is closed. */
export function ExportMenu({ opened, onOpen, search, list }: Props) {
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  return (
    <Popover
      opened={opened}
      onChange={onOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      keepMounted={wasOpened}
    >
      <Popover.Target>
        <Tooltip label={i18n.t('Export as a file')}>
          <ActionIcon size={22} aria-label={i18n.t('Export reports')} onClick={() => onOpen(!opened)}>
            <IconDownload size={14} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={i18n.t('Export reports')}>
        {wasOpened && (
          <Suspense fallback={<Skeleton height={40} width={200} />}>
            <ExportPanel search={search} list={list} />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

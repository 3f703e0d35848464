import { i18n } from '@lingui/core';
import { ActionIcon, Popover, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, memo, Suspense, useRef } from 'react';
import type { EventReportFilter, EventReportOrder } from '../../../api/event-reports.ts';
import { At } from '../../../components/At.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useMarks } from '../../../team/use-team.ts';
import { isNarrowed } from '../narrowing.ts';
import type { ReportSearch } from '../report-search.ts';
import { type Messages, sieve } from '../rows/sieve.ts';
import { useExport } from './use-export.ts';

const ExportPanel = lazy(() => import('./ExportPanel.tsx'));

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  search: ReportSearch;
  filter: EventReportFilter;
  dir: EventReportOrder;
  messages: Messages;
  /** How many the server has that match its filters. */
  total: number;
};

/** An export goes on while its panel is closed. */
export const ExportMenu = memo(function ExportMenu(props: Props) {
  const { opened, onOpen, search, messages } = props;
  const marks = useMarks();
  const button = useRef<HTMLButtonElement>(null);
  const { queue, text, reason, since, until } = search;
  const job = useExport({
    filter: props.filter,
    dir: props.dir,
    marks,
    messages,
    wanted: (report) => sieve([report], { queue, text, reason, since, until }, marks, messages).length > 0,
  });
  return (
    <>
      <Hint label={i18n.t('Export as a file')}>
        <ActionIcon
          ref={button}
          size={22}
          aria-label={i18n.t('Export reports')}
          onClick={() => onOpen(!opened)}
        >
          <IconDownload size={14} stroke={1.7} />
        </ActionIcon>
      </Hint>
      {opened && (
        <Popover opened onChange={onOpen} position="bottom-end" shadow="md" trapFocus>
          <Popover.Target>
            <At element={() => button.current} />
          </Popover.Target>
          <Popover.Dropdown aria-label={i18n.t('Export reports')}>
            <Suspense fallback={<Skeleton height={40} width={200} />}>
              <ExportPanel
                isSieved={queue !== undefined || isNarrowed(search)}
                count={props.total}
                job={job}
              />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
});

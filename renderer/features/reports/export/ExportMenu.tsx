import { i18n } from '@lingui/core';
import { IconDownload } from '@tabler/icons-react';
import { memo } from 'react';
import type { EventReportFilter, EventReportOrder } from '../../../api/event-reports.ts';
import { useMarks } from '../../../team/use-team.ts';
import { ButtonPanel } from '../ButtonPanel.tsx';
import { isNarrowed } from '../narrowing.ts';
import type { ReportSearch } from '../report-search.ts';
import { type Messages, sieve } from '../rows/sieve.ts';
import { ExportPanel } from './ExportPanel.tsx';
import { useExport } from './use-export.ts';

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
  const { queue, text, reason, since, until } = search;
  const job = useExport({
    filter: props.filter,
    dir: props.dir,
    marks,
    messages,
    wanted: (report) => sieve([report], { queue, text, reason, since, until }, marks, messages).length > 0,
  });
  return (
    <ButtonPanel
      label={i18n.t('Export reports')}
      hint={i18n.t('Export to file')}
      icon={IconDownload}
      opened={opened}
      onOpen={onOpen}
    >
      <ExportPanel
        isSieved={queue !== undefined || isNarrowed(search)}
        count={props.total}
        dir={props.dir}
        job={job}
      />
    </ButtonPanel>
  );
});

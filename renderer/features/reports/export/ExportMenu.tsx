import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { memo, useState } from 'react';
import type { EventReportFilter } from '../../../api/reports/event-reports.ts';
import type { ReportOrder } from '../../../api/reports/report-source.ts';
import { ExportButton } from '../../../components/file/ExportPanel.tsx';
import { useFileExport } from '../../../components/file/use-file-export.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks } from '../../../team/use-team.ts';
import { filterReports, type Messages } from '../list/filter.ts';
import { isNarrowed, type ReportSearch } from '../report-search.ts';

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  search: ReportSearch;
  filter: EventReportFilter;
  dir: ReportOrder;
  messages: Messages;
  /** Number of reports that match the server's filters. */
  total: number;
};

/** Exports the list's reports. An export continues while its panel is closed. */
export const ExportMenu = memo(function ExportMenu(props: Props) {
  const { opened, onOpen, search, filter, dir, messages, total: count } = props;
  const server = useServer();
  const marks = useMarks();
  const [withMessages, setWithMessages] = useState(false);
  const job = useFileExport('reports');
  const { queue, text, reason, since, until } = search;
  const isFiltered = queue !== undefined || isNarrowed(search);
  return (
    <ExportButton
      label={i18n.t('Export reports')}
      opened={opened}
      onOpen={onOpen}
      job={job}
      onStart={async (format) => {
        const { readReportRows, reportColumns } = await import('./export-rows.ts');
        return job.start(format, reportColumns, (signal) =>
          readReportRows(server, {
            filter,
            dir,
            marks,
            messages,
            withMessages,
            isWanted: (report) =>
              filterReports([report], { queue, text, reason, since, until }, marks, messages).length > 0,
            signal,
          }),
        );
      }}
      note={
        isFiltered
          ? dir === 'b'
            ? i18n.t('Exports all matching reports, newest first.')
            : i18n.t('Exports all matching reports, oldest first.')
          : dir === 'b'
            ? i18n.t('Exports {count, plural, one {# report} other {# reports}}, newest first.', { count })
            : i18n.t('Exports {count, plural, one {# report} other {# reports}}, oldest first.', { count })
      }
      doneText={(written) =>
        i18n.t('{count, plural, one {# report} other {# reports}} exported', { count: written })
      }
    >
      <Checkbox
        size="xs"
        label={i18n.t('Include messages (one request each)')}
        checked={withMessages}
        disabled={job.state.step === 'running'}
        onChange={(event) => setWithMessages(event.currentTarget.checked)}
      />
    </ExportButton>
  );
});

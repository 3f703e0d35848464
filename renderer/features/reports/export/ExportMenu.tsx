import { i18n } from '@lingui/core';
import { Button, Checkbox, Progress, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { EventReportFilter } from '../../../api/event-reports.ts';
import type { ReportOrder } from '../../../api/report-source.ts';
import { ButtonPanel } from '../../../components/ButtonMenu.tsx';
import type { FileFormat } from '../../../components/file/table-file.ts';
import { useMarks } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { number } from '../../../words/format.ts';
import { filterReports, type Messages } from '../list/filter.ts';
import { isNarrowed, type ReportSearch } from '../report-search.ts';
import classes from './ExportMenu.module.css';
import { type ExportJob, type ExportState, useExport } from './use-export.ts';

type ExportMenuProps = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  search: ReportSearch;
  filter: EventReportFilter;
  dir: ReportOrder;
  messages: Messages;
  /** How many the server has that match its filters. */
  total: number;
};

/** An export goes on while its panel is closed. */
export const ExportMenu = memo(function ExportMenu(props: ExportMenuProps) {
  const { opened, onOpen, search, messages } = props;
  const marks = useMarks();
  const { queue, text, reason, since, until } = search;
  const job = useExport({
    filter: props.filter,
    dir: props.dir,
    marks,
    messages,
    wanted: (report) =>
      filterReports([report], { queue, text, reason, since, until }, marks, messages).length > 0,
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

type Props = {
  /** Whether the console itself finds what is written; where it doesn't, `count` is how many that are. */
  isSieved: boolean;
  count: number;
  dir: ReportOrder;
  job: ExportJob;
};

const formatNotes: Record<FileFormat, string> = {
  csv: /*i18n*/ 'An apostrophe precedes user IDs and other possible spreadsheet formulas.',
  'raw-csv': /*i18n*/ 'Unchanged values for scripts. Spreadsheets could run some as formulas.',
  ndjson: /*i18n*/ 'Unchanged values, one JSON object per line.',
};

/** What the list shows as a file: which kind, how far it is, and what became of it. */
function ExportPanel({ isSieved, count, dir, job: { state, start, stop } }: Props) {
  const [format, setFormat] = useState<FileFormat>('csv');
  const [whole, setWhole] = useState(false);
  return (
    <div className={classes.panel}>
      <p className={classes.note}>
        {isSieved
          ? dir === 'b'
            ? i18n.t('Exports all matching reports, newest first.')
            : i18n.t('Exports all matching reports, oldest first.')
          : dir === 'b'
            ? i18n.t('Exports {count, plural, one {# report} other {# reports}}, newest first.', { count })
            : i18n.t('Exports {count, plural, one {# report} other {# reports}}, oldest first.', { count })}
      </p>
      <Checkbox
        size="xs"
        label={i18n.t('Include messages (one request each)')}
        checked={whole}
        disabled={state.step === 'running'}
        onChange={(event) => setWhole(event.currentTarget.checked)}
      />
      {state.step === 'running' ? (
        <Running state={state} onStop={stop} />
      ) : (
        <>
          <SegmentedControl
            value={format}
            onChange={(value) => setFormat(value as FileFormat)}
            aria-label={i18n.t('Format')}
            data={[
              { value: 'csv', label: i18n.t('CSV for spreadsheets') },
              { value: 'raw-csv', label: i18n.t('Raw CSV') },
              { value: 'ndjson', label: 'NDJSON' },
            ]}
          />
          <p className={classes.note}>{i18n.t(formatNotes[format])}</p>
          <Button data-autofocus onClick={() => void start(format, whole)}>
            {i18n.t('Export')}
          </Button>
        </>
      )}
      <Outcome state={state} />
    </div>
  );
}

function Running({
  state,
  onStop,
}: {
  state: Extract<ExportState, { step: 'running' }>;
  onStop: () => void;
}) {
  const { looked, total, written } = state;
  return (
    <>
      <Progress value={total === 0 ? 0 : Math.floor((looked / total) * 100)} aria-label={i18n.t('Export')} />
      <div className={classes.choice}>
        <output className={classes.note}>
          {/* How many there are, the first reply tells. */}
          {total > 0 &&
            i18n.t('{looked} of {total} scanned, {written} exported', {
              looked: number(looked),
              total: number(total),
              written: number(written),
            })}
        </output>
        <Button variant="default" onClick={onStop}>
          {i18n.t('Stop')}
        </Button>
      </div>
    </>
  );
}

function Outcome({ state }: { state: ExportState }) {
  if (state.step === 'done') {
    return (
      <output className={classes.note}>
        {i18n.t('{count, plural, one {# report} other {# reports}} exported', {
          count: state.written,
        })}
      </output>
    );
  }
  if (state.step === 'stopped') {
    return <output className={classes.note}>{i18n.t('Stopped. No file saved.')}</output>;
  }
  if (state.step !== 'failed') return null;
  return (
    <p role="alert" className={classes.failed}>
      {i18n.t('No file saved. {why}', { why: failureSentence(state.error) })}
    </p>
  );
}

import { i18n } from '@lingui/core';
import { Button, Progress, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { failureSentence } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import { ButtonPanel } from '../ButtonMenu.tsx';
import classes from './ExportPanel.module.css';
import type { FileFormat } from './table-file.ts';
import type { ExportState, FileExport } from './use-file-export.ts';

const formatNotes: Record<FileFormat, string> = {
  csv: /*i18n*/ 'An apostrophe precedes user IDs and other possible spreadsheet formulas.',
  'raw-csv': /*i18n*/ 'Unchanged values for scripts. Spreadsheets could run some as formulas.',
  ndjson: /*i18n*/ 'Unchanged values, one JSON object per line.',
};

type PanelProps = {
  job: Pick<FileExport, 'state' | 'stop'>;
  onStart: (format: FileFormat) => unknown;
  /** Describes the exported file. */
  note: ReactNode;
  /** Choices of this export. */
  children?: ReactNode;
  /** For example `12 users exported`. */
  doneText: (count: number) => string;
};

type Props = PanelProps & { label: string; opened: boolean; onOpen: (opened: boolean) => void };

/** Renders a button that opens the export. An export continues while its panel is closed. */
export const ExportButton = ({ label, opened, onOpen, ...panel }: Props) => (
  <ButtonPanel
    label={label}
    hint={i18n.t('Export to file')}
    icon={IconDownload}
    opened={opened}
    onOpen={onOpen}
  >
    <ExportPanel {...panel} />
  </ButtonPanel>
);

/** Renders the choices of an export to a file, its progress and its outcome. */
function ExportPanel({ job: { state, stop }, onStart, note, children, doneText }: PanelProps) {
  const [format, setFormat] = useState<FileFormat>('csv');
  return (
    <div className={classes.panel}>
      <p className={classes.note}>{note}</p>
      {children}
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
          <Button data-autofocus onClick={() => void onStart(format)}>
            {i18n.t('Export')}
          </Button>
        </>
      )}
      <Outcome state={state} doneText={doneText} />
    </div>
  );
}

type RunningProps = { state: Extract<ExportState, { step: 'running' }>; onStop: () => void };

function Running({ state: { read, total, written }, onStop }: RunningProps) {
  return (
    <>
      <Progress value={total === 0 ? 0 : Math.floor((read / total) * 100)} aria-label={i18n.t('Export')} />
      <div className={classes.choice}>
        <output className={classes.note}>
          {/* The first reply has the total. */}
          {total > 0 &&
            i18n.t('{looked} of {total} scanned, {written} exported', {
              looked: number(read),
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

function Outcome({ state, doneText }: { state: ExportState } & Pick<Props, 'doneText'>) {
  if (state.step === 'done') return <output className={classes.note}>{doneText(state.written)}</output>;
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

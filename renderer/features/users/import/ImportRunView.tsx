import { i18n } from '@lingui/core';
import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { number } from '../../../words/format.ts';
import classes from './Import.module.css';
import { ImportTable, type ShownRow } from './ImportTable.tsx';
import { type ImportRun, importOf, summaryOf } from './import-store.ts';
import { saveResults } from './result-file.ts';
import type { PlannedRow, RowResult } from './run-import.ts';

/** Shows the progress and the results of an import. */
export function ImportRunView({ run }: { run: ImportRun }) {
  const server = useServer();
  const { queryClient, host } = useConsole();
  const store = importOf(server);
  const { isRunning, rows, results, stoppedBy, isSaved } = run;
  const [saving, setSaving] = useState<'failed' | 'warned'>();
  const shown = useMemo(() => rows.map((row) => shownRow(row, results.get(row.line))), [rows, results]);
  const failed = [...results.values()].filter(({ outcome }) => outcome === 'failed').length;
  const untried = rows.length - results.size;
  const timeLeft = isRunning && timeLeftOf(run);
  const summary = useMemo(() => summaryOf([...results.values()]), [results]);

  async function save() {
    try {
      if (!(await saveResults(run, host.shell !== undefined))) return;
      store.markSaved();
      setSaving(undefined);
    } catch {
      setSaving('failed');
    }
  }
  function finish() {
    if (!isSaved && saving !== 'warned') return setSaving('warned');
    store.clear();
  }

  return (
    <>
      <div className={classes.strip}>
        {isRunning ? (
          <Progress
            className={classes.progress}
            size="sm"
            aria-label={i18n.t('Progress')}
            value={(100 * results.size) / Math.max(1, rows.length)}
          />
        ) : (
          <strong>{untried > 0 ? i18n.t('Import stopped') : i18n.t('Import finished')}</strong>
        )}
        <span role="status">
          {isRunning &&
            `${i18n.t('{done} of {total}', { done: number(results.size), total: number(rows.length) })} · `}
          {results.size > 0 && summary}
          {timeLeft && ` · ${timeLeft}`}
        </span>
        <span className={classes.gap} />
        {isRunning ? (
          <Button variant="default" onClick={store.stop}>
            {i18n.t('Stop import')}
          </Button>
        ) : (
          <>
            <ButtonWithIcon variant={isSaved ? 'default' : 'filled'} icon={IconDownload} onClick={save}>
              {i18n.t('Save results as CSV')}
            </ButtonWithIcon>
            {untried + failed > 0 && (
              <Button
                variant={isSaved && untried > 0 ? 'filled' : 'default'}
                onClick={() => void store.start(queryClient, run)}
              >
                {untried > 0
                  ? i18n.t('Resume import')
                  : i18n.t('{count, plural, one {Retry # user} other {Retry # users}}', { count: failed })}
              </Button>
            )}
            <Button variant="default" onClick={finish}>
              {saving === 'warned' ? i18n.t('Discard passwords') : i18n.t('New import')}
            </Button>
          </>
        )}
      </div>
      <div className={classes.notes}>
        {stoppedBy && (
          <p className={classes.failure} role="alert">
            {stoppedBy}
          </p>
        )}
        {saving === 'failed' && (
          <p className={classes.failure} role="alert">
            {i18n.t("Couldn't write the file")}
          </p>
        )}
        {saving === 'warned' && (
          <p className={classes.failure} role="alert">
            {i18n.t('This discards the unsaved passwords.')}
          </p>
        )}
        {(isRunning || run.hasPasswords) && (
          <p className={classes.text}>
            {isRunning
              ? i18n.t('Continues while you use other screens of this tab.')
              : isSaved
                ? i18n.t('Passwords are shown once and never stored.')
                : i18n.t('Save the generated passwords: they are lost when this tab closes.')}
          </p>
        )}
      </div>
      <ImportTable rows={shown} />
    </>
  );
}

/** Earlier estimates would be wild guesses. */
const minEstimateMs = 5_000;

/** Estimates the remaining time from the pace since the last start. */
function timeLeftOf({ rows, results, startedAt, doneBefore }: ImportRun): string | undefined {
  const elapsed = Date.now() - startedAt;
  const done = results.size - doneBefore;
  if (done === 0 || elapsed < minEstimateMs) return undefined;
  const minutes = ((rows.length - results.size) * elapsed) / done / 60_000;
  return minutes < 100
    ? i18n.t('{count, plural, one {# minute left} other {# minutes left}}', { count: Math.ceil(minutes) })
    : i18n.t('{count, plural, one {# hour left} other {# hours left}}', { count: Math.round(minutes / 60) });
}

function shownRow(row: PlannedRow, result: RowResult | undefined): ShownRow {
  return {
    row,
    does: result?.outcome ?? 'waiting',
    faults: result?.error === undefined ? [] : [result.error],
    password: result?.password,
  };
}

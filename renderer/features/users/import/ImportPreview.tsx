import { i18n } from '@lingui/core';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { parseCsv } from '../../../components/file/csv.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useStoreValue } from '../../../subscribers.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { serverName } from '../../../transport/server-name.ts';
import { takesPasswords } from '../create/user-name.ts';
import { existingUsersQuery } from './existing-users.ts';
import classes from './Import.module.css';
import { ImportOptions } from './ImportOptions.tsx';
import { ImportTable, type ShownRow } from './ImportTable.tsx';
import { assign, isHeader } from './import-columns.ts';
import { type ExistingUsers, planRow, readRows } from './import-rows.ts';
import { type ImportState, importOf, type UnsentRow } from './import-store.ts';
import type { PlannedRow } from './run-import.ts';

const noUsers: ExistingUsers = new Map();

/** Shows the effect of an import, without sending anything. */
export function ImportPreview({ source }: { source: NonNullable<ImportState['source']> }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const store = importOf(server);
  const state = useStoreValue(store, store.read);
  const { conflict } = state;
  const { data: offered } = useQuery(offeredQuery(server));
  const hasPasswords = takesPasswords(server, offered);

  const { records, columns, hasHeader, assignment } = useRecords(source.text, state);
  const rows = useMemo(
    () =>
      readRows(hasHeader ? records.slice(1) : records, assignment, {
        server: serverName(server.connection),
        hasPasswords,
        isDelegated: server.mas !== undefined,
      }),
    [records, hasHeader, assignment, server, hasPasswords],
  );
  const names = useMemo(
    () => [...new Set(rows.filter(({ faults }) => faults.length === 0).map(({ userId }) => userId))],
    [rows],
  );
  const check = useQuery(existingUsersQuery(server, names));
  const existing = check.data ?? noUsers;
  const generates =
    hasPasswords && (state.generatesPasswords ?? rows.every(({ externalId }) => externalId === undefined));
  const own = server.connection.userId;
  const shown = useMemo(
    () =>
      rows.map((row): ShownRow => {
        const { does, faults } = planRow(row, existing, conflict, own);
        const isChecked = check.data !== undefined || does === 'nothing';
        const isGenerated = generates && does === 'create' && row.password === undefined;
        return { row, does: isChecked ? does : 'checking', faults, isGenerated };
      }),
    [rows, existing, conflict, own, check.data, generates],
  );
  const planned = useMemo(
    () =>
      shown.flatMap(({ row, does }): PlannedRow[] =>
        does === 'create' || does === 'update' ? [{ ...row, does }] : [],
      ),
    [shown],
  );
  const unsent = useMemo(
    () =>
      shown.flatMap(({ row, does, faults }): UnsentRow[] =>
        does === 'skip' || does === 'nothing' ? [{ row, does, faults }] : [],
      ),
    [shown],
  );
  const isStopped = conflict === 'stop' && rows.some(({ userId }) => existing.has(userId));
  const updatesPassword = planned.some(({ does, password }) => does === 'update' && password !== undefined);
  const withoutPassword = planned.filter(
    ({ does, password }) => does === 'create' && password === undefined,
  ).length;
  const generated = generates ? withoutPassword : 0;

  return (
    <>
      <div className={classes.strip}>
        <strong className={classes.file}>
          {source.name ? <HazardText text={source.name} /> : i18n.t('Pasted text')}
        </strong>
        <Button variant="subtle" size="compact-xs" onClick={() => store.change(otherSource)}>
          {i18n.t('Change source')}
        </Button>
        <span className={classes.gap} />
        {check.isFetching && <Loader size={12} role="img" aria-label={i18n.t('Checking names…')} />}
        {check.error && (
          <span className={classes.failure} role="alert">
            {failureSentence(check.error)}{' '}
            <Button variant="subtle" size="compact-xs" onClick={() => check.refetch()}>
              {i18n.t('Retry')}
            </Button>
          </span>
        )}
        <Button
          disabled={planned.length === 0 || isStopped || check.data === undefined}
          onClick={() => void store.start(queryClient, { rows: planned, unsent, hasPasswords: generates })}
        >
          {i18n.t('{count, plural, one {Import # user} other {Import # users}}', { count: planned.length })}
        </Button>
      </div>
      <ImportOptions
        first={records[0]?.cells ?? []}
        columns={columns}
        hasHeader={hasHeader}
        assignment={assignment}
        conflict={conflict}
        generatesPasswords={hasPasswords && (withoutPassword > 0 || !generates) ? generates : undefined}
        onChange={store.change}
      />
      {(generated > 0 || updatesPassword || isStopped) && (
        <div className={classes.notes}>
          {isStopped && (
            <p className={classes.failure}>
              {i18n.t('Some users exist. Remove their rows, or skip or update them.')}
            </p>
          )}
          {generated > 0 && (
            <p className={classes.text}>
              {i18n.t(
                '{count, plural, one {One password is generated. Save it after the import.} other {# passwords are generated. Save them after the import.}}',
                { count: generated },
              )}
            </p>
          )}
          {updatesPassword && (
            <p className={classes.text}>
              {i18n.t('Existing users with a new password are signed out of all devices.')}
            </p>
          )}
        </div>
      )}
      <ImportTable rows={shown} />
    </>
  );
}

const otherSource = {
  source: undefined,
  hasHeader: undefined,
  assignment: undefined,
  generatesPasswords: undefined,
} as unknown as Partial<ImportState>;

/** Parses the text, and recognizes header and columns unless they were chosen. */
function useRecords(text: string, chosen: Pick<ImportState, 'hasHeader' | 'assignment'>) {
  const records = useMemo(() => parseCsv(text).records, [text]);
  const columns = useMemo(
    () => records.reduce((most, { cells }) => Math.max(most, cells.length), 0),
    [records],
  );
  const [first = { cells: [] }] = records;
  const hasHeader = chosen.hasHeader ?? isHeader(first.cells);
  const recognized = useMemo(() => assign(first.cells, columns, hasHeader), [first, columns, hasHeader]);
  return { records, columns, hasHeader, assignment: chosen.assignment ?? recognized };
}

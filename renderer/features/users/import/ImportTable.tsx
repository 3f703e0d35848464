import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconPencil,
  IconPlayerSkipForward,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { HazardText } from '../../../components/HazardText.tsx';
import { type State, StateMark } from '../../../components/State.tsx';
import cells from '../../../components/table/cells.module.css';
import type { Column, Sort } from '../../../components/table/columns.tsx';
import { LocalTable } from '../../../components/table/LocalTable.tsx';
import { number } from '../../../words/format.ts';
import classes from './Import.module.css';
import { fieldNames } from './import-columns.ts';
import type { ImportRow, RowPlan } from './import-rows.ts';
import type { RowResult } from './run-import.ts';

/** A row with its plan, or its result. */
export type ShownRow = {
  row: ImportRow;
  does: RowPlan['does'] | 'checking' | 'waiting' | RowResult['outcome'];
  faults: readonly string[];
  /** Generated. */
  password?: string | undefined;
  /** A password will be generated. */
  isGenerated?: boolean;
};

type Does = ShownRow['does'];

const states = (): Record<Does, State> => ({
  create: { words: i18n.t('Create'), tone: 'success', icon: IconUserPlus },
  update: { words: i18n.t('Update'), tone: 'info', icon: IconPencil },
  skip: { words: i18n.t('Skip'), tone: 'neutral', icon: IconPlayerSkipForward },
  nothing: { words: i18n.t('Problem'), tone: 'danger', icon: IconAlertTriangle },
  checking: { words: i18n.t('Checking…'), tone: 'neutral', icon: IconClock },
  waiting: { words: i18n.t('Not started'), tone: 'neutral', icon: IconClock },
  created: { words: i18n.t('Created'), tone: 'success', icon: IconCircleCheck },
  updated: { words: i18n.t('Updated'), tone: 'success', icon: IconCircleCheck },
  skipped: { words: i18n.t('Skipped'), tone: 'neutral', icon: IconPlayerSkipForward },
  failed: { words: i18n.t('Failed'), tone: 'danger', icon: IconAlertTriangle },
});

/** Lists the rows, with filters by their effect. */
export function ImportTable({ rows }: { rows: readonly ShownRow[] }) {
  const [filter, setFilter] = useState<Does>();
  const [find, setFind] = useState<string>();
  const [sort, setSort] = useState<Sort>({ order: 'line', dir: 'f' });
  const stateOf = states();
  const counts = useMemo(() => {
    const all = new Map<Does, number>();
    for (const { does } of rows) all.set(does, (all.get(does) ?? 0) + 1);
    return all;
  }, [rows]);
  const active = filter !== undefined && counts.has(filter) ? filter : undefined;
  const shown = useMemo(
    () => (active === undefined ? rows : rows.filter(({ does }) => does === active)),
    [rows, active],
  );
  const columns = useMemo(() => importColumns(rows), [rows]);
  return (
    <LocalTable
      id="user-import"
      label={i18n.t('Users to import')}
      rows={shown}
      columns={columns}
      idOf={({ row }) => String(row.line)}
      sort={sort}
      onSort={setSort}
      sortValue={sortValue}
      search={{ label: i18n.t('Search rows'), value: find, onChange: setFind }}
      textOf={({ row, faults }) =>
        [row.userId, row.displayname, row.email, row.phone, ...faults].filter(Boolean).join(' ')
      }
      countOf={(count) => i18n.t('{count, plural, one {# row} other {# rows}}', { count })}
      emptyText={i18n.t('No rows')}
      filters={
        <SegmentedControl
          aria-label={i18n.t('Filter rows')}
          value={active ?? ''}
          onChange={(value) => setFilter((value || undefined) as Does | undefined)}
          data={[
            { value: '', label: i18n.t('All') },
            ...[...counts].map(([does, count]) => ({
              value: does,
              label: `${stateOf[does].words} ${number(count)}`,
            })),
          ]}
        />
      }
    />
  );
}

const sortValue = ({ row, does, faults }: ShownRow, order: string) => {
  switch (order) {
    case 'line':
      return row.line;
    case 'user':
      return row.userId;
    case 'does':
      return does;
    case 'problem':
      return faults[0];
    default:
      return row.displayname;
  }
};

/** Fields that no row sets have no column. */
function importColumns(rows: readonly ShownRow[]): Column<ShownRow>[] {
  const names = fieldNames();
  const has = (is: (row: ShownRow) => unknown) => rows.some(is);
  const text = (value: string | null | undefined) => value && <HazardText text={value} />;
  const stateOf = states();
  const all: (Column<ShownRow> | false)[] = [
    {
      id: 'line',
      name: i18n.t('Line'),
      width: 64,
      isNumeric: true,
      order: 'line',
      value: ({ row }) => row.line,
      cell: ({ row }) => number(row.line),
    },
    {
      id: 'user',
      name: names.name,
      width: 190,
      order: 'user',
      value: ({ row }) => row.userId,
      cell: ({ row }) => (
        <span className={cells.mono}>
          <HazardText text={row.userId} />
        </span>
      ),
    },
    {
      id: 'does',
      name: i18n.t('Action'),
      width: 110,
      order: 'does',
      value: ({ does }) => does,
      cell: ({ does }) => <StateMark {...stateOf[does]} />,
    },
    has(({ faults }) => faults.length > 0) && {
      id: 'problem',
      name: i18n.t('Problem'),
      width: 240,
      order: 'problem',
      value: ({ faults }) => faults.join(' · '),
      cell: ({ faults }) =>
        faults.length > 0 && (
          <span className={classes.fault} title={faults.join(' · ')}>
            {faults.join(' · ')}
          </span>
        ),
    },
    has(({ row }) => row.displayname) && {
      id: 'displayname',
      name: names.displayname,
      width: 150,
      order: 'displayname',
      value: ({ row }) => row.displayname,
      cell: ({ row }) => text(row.displayname),
    },
    {
      id: 'password',
      name: names.password,
      // Generated ones are read from here.
      width: has(({ password }) => password !== undefined) ? 250 : 110,
      comfortableWidth: 260,
      value: null,
      cell: ({ row, isGenerated, password }) =>
        password !== undefined ? (
          <code className={classes.password}>{password}</code>
        ) : row.password !== undefined ? (
          i18n.t('From file')
        ) : isGenerated ? (
          i18n.t('Generated')
        ) : (
          ''
        ),
    },
    has(({ row }) => row.email) && {
      id: 'email',
      name: names.email,
      width: 170,
      value: ({ row }) => row.email,
      cell: ({ row }) => text(row.email),
    },
    has(({ row }) => row.phone) && {
      id: 'phone',
      name: names.phone,
      width: 120,
      value: ({ row }) => row.phone,
      cell: ({ row }) => row.phone && `+${row.phone}`,
    },
    has(({ row }) => row.admin !== undefined) && {
      id: 'admin',
      name: names.admin,
      width: 100,
      value: ({ row }) => row.admin,
      cell: ({ row }) => (row.admin === true ? i18n.t('Yes') : row.admin === false ? i18n.t('No') : ''),
    },
    has(({ row }) => row.externalId) && {
      id: 'externalId',
      name: names.externalId,
      width: 160,
      value: ({ row }) => row.externalId && `${row.externalId.provider}:${row.externalId.id}`,
      cell: ({ row }) => text(row.externalId && `${row.externalId.provider}:${row.externalId.id}`),
    },
    has(({ row }) => row.userType !== undefined) && {
      id: 'userType',
      name: names.userType,
      width: 100,
      value: ({ row }) => row.userType,
      cell: ({ row }) => (row.userType === null ? i18n.t('Regular') : text(row.userType)),
    },
  ];
  return all.filter((column) => column !== false);
}

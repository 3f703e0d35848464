import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconFilterOff, IconListCheck, IconRefresh, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { scheduledTasksQuery } from '../../api/scheduled-tasks.ts';
import { fileTime } from '../../components/file/table-file.ts';
import { FailureMessage, StaleNote, StateMessage } from '../../components/LoadStates.tsx';
import { RelatedScreens } from '../../components/page/RelatedScreens.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { type ExportedColumn, ListExport } from '../../components/table/ListExport.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListSkeleton } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { UnexpectedEntryButton } from '../../components/UnexpectedEntry.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { SavedViews } from '../../team/SavedViews.tsx';
import { StatusToggles, TaskFilters } from './TaskFilters.tsx';
import { TaskHistogram } from './TaskHistogram.tsx';
import classes from './TasksScreen.module.css';
import { sortTasks, TaskTable } from './TaskTable.tsx';
import { byRelevance, contains, filterOf, isFiltered, noFilters, type TaskSearch } from './task-search.ts';

const none: ScheduledTask[] = [];

const exportedColumns: readonly ExportedColumn<ScheduledTask>[] = [
  { id: 'id' },
  { id: 'action' },
  { id: 'status' },
  { id: 'timestamp_ms', value: ({ timestamp_ms }) => fileTime(timestamp_ms) },
  { id: 'resource_id' },
  { id: 'error' },
  { id: 'result', value: ({ result }) => (result == null ? null : JSON.stringify(result)) },
];

/** Renders the server's scheduled tasks. */
export function TasksScreen() {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  const filterElement = useRef<HTMLInputElement>(null);
  const query = useQuery({
    ...scheduledTasksQuery(server, filterOf(search)),
    placeholderData: keepPreviousData,
  });

  const change = (changes: Partial<TaskSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  // Filters that the server lacks.
  const { after, status, text, task } = search;
  const filtered = useMemo(
    () =>
      (query.data?.tasks ?? none).filter(
        (task) =>
          (after === undefined || task.timestamp_ms >= after) && (text === undefined || contains(task, text)),
      ),
    [query.data, after, text],
  );
  const visible = useMemo(
    () => (status ? filtered.filter((task) => status.includes(task.status)) : filtered).toSorted(byRelevance),
    [filtered, status],
  );

  useCommands([
    {
      id: 'filter tasks',
      label: i18n.t('Filter tasks'),
      group: i18n.t('Tasks'),
      keys: ['/'],
      icon: <IconSearch size={17} stroke={1.6} />,
      run: () => filterElement.current?.focus(),
    },
    {
      id: 'failed tasks',
      label: i18n.t('Only failed tasks'),
      group: i18n.t('Tasks'),
      keys: ['f'],
      icon: <IconSearch size={17} stroke={1.6} />,
      run: () => change({ status: ['failed'] }),
    },
    {
      id: 'refresh tasks',
      label: i18n.t('Refresh tasks'),
      group: i18n.t('Tasks'),
      keys: ['r'],
      icon: <IconRefresh size={17} stroke={1.6} />,
      run: () => void query.refetch(),
    },
    {
      id: 'clear task filters',
      label: i18n.t('Clear filters'),
      group: i18n.t('Tasks'),
      keys: ['c'],
      icon: <IconFilterOff size={17} stroke={1.6} />,
      run: () => change(noFilters),
    },
  ]);

  function body() {
    if (query.isPending) return <ListSkeleton text={i18n.t('Loading tasks…')} />;
    if (!query.data) {
      return <FailureMessage title={i18n.t("Couldn't load tasks")} query={query} />;
    }
    if (visible.length > 0) {
      return (
        <TaskTable
          tasks={visible}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          linkedId={task}
          // No history entry.
          onLink={(id) => navigate({ search: (current) => ({ ...current, task: id }), replace: true })}
        />
      );
    }
    return isFiltered(search) ? (
      <StateMessage
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title={i18n.t('No matching tasks')}
        description={i18n.t('No results for these filters.')}
      >
        <Button variant="default" onClick={() => change(noFilters)}>
          {i18n.t('Clear filters')}
        </Button>
      </StateMessage>
    ) : (
      <StateMessage
        icon={<IconListCheck size={24} stroke={1.5} />}
        title={i18n.t('No tasks')}
        description={
          <>
            {i18n.t('No current or past tasks.')} <SampleDataHint />
          </>
        }
      />
    );
  }

  return (
    <div className={listClasses.screen}>
      <div className={listClasses.heading}>
        <h1 className={listClasses.title}>{i18n.t('Tasks')}</h1>
        <output className={classes.count} aria-label={i18n.t('Matching tasks')}>
          {query.data && i18n.t('{count, plural, one {# task} other {# tasks}}', { count: visible.length })}
        </output>
        <span className={listClasses.gap} />
        {query.isError && query.data && (
          <StaleNote error={query.error} since={query.dataUpdatedAt} onRetry={query.refetch} />
        )}
        {visible.length > 0 && (
          <ListExport
            id="tasks"
            title={i18n.t('Tasks')}
            columns={exportedColumns}
            rows={localRows('tasks', sortTasks(visible, search.sort))}
          />
        )}
        <SavedViews list="tasks" openRow="task" />
      </div>
      <RelatedScreens of="tasks" />
      <div className={classes.states}>
        <StatusToggles
          tasks={query.data && filtered}
          shown={status}
          onChange={(shownStates) => change({ status: shownStates })}
        />
      </div>
      <TaskFilters tasks={filtered} search={search} inputRef={filterElement} onChange={change} />
      {filtered.length > 0 && <TaskHistogram tasks={visible} search={search} onRange={change} />}
      {task !== undefined && query.data && !visible.some(({ id }) => id === task) && (
        <p className={classes.absent} role="status">
          {i18n.t('The linked task was deleted or filtered out.')}
        </p>
      )}
      {query.data?.unexpected.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: unreadable entries may have no ID
        <p key={index} className={classes.absent}>
          <UnexpectedEntryButton entry={entry} />
        </p>
      ))}
      {body()}
    </div>
  );
}

import { Button, Skeleton } from '@mantine/core';
import { IconFilter, IconFilterOff, IconListCheck, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { ScheduledTask } from '../../../shared/api/scheduled-tasks.ts';
import { scheduledTasksQuery } from '../../api/scheduled-tasks.ts';
import { FailureMessage, failureSentence } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { StatusToggles } from './StatusToggles.tsx';
import { TaskFilters } from './TaskFilters.tsx';
import { TaskHistogram } from './TaskHistogram.tsx';
import classes from './TasksScreen.module.css';
import { TaskTable } from './TaskTable.tsx';
import { byRelevance } from './task-order.ts';
import { filterOf, isFiltered, type TaskSearch } from './task-search.ts';

const none: ScheduledTask[] = [];
const noFilters: TaskSearch = {
  status: undefined,
  action: undefined,
  resource: undefined,
  after: undefined,
  before: undefined,
};

/** The server's background work: what runs, what failed and why, what comes next. */
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

  const { after, status } = search;
  const inTime = useMemo(
    () => (query.data ?? none).filter((task) => after === undefined || task.timestamp_ms >= after),
    [query.data, after],
  );
  const shown = useMemo(
    () => (status ? inTime.filter((task) => status.includes(task.status)) : inTime).toSorted(byRelevance),
    [inTime, status],
  );

  useCommands([
    {
      id: 'filter tasks',
      label: 'Filter tasks by action',
      group: 'Tasks',
      keys: ['/'],
      icon: <IconFilter size={17} stroke={1.6} />,
      run: () => filterElement.current?.focus(),
    },
    {
      id: 'failed tasks',
      label: 'Only failed tasks',
      group: 'Tasks',
      keys: ['f'],
      icon: <IconFilter size={17} stroke={1.6} />,
      run: () => change({ status: ['failed'] }),
    },
    {
      id: 'refresh tasks',
      label: 'Refresh the tasks',
      group: 'Tasks',
      keys: ['r'],
      icon: <IconRefresh size={17} stroke={1.6} />,
      run: () => void query.refetch(),
    },
    {
      id: 'clear task filters',
      label: 'Clear filters',
      group: 'Tasks',
      keys: ['c'],
      icon: <IconFilterOff size={17} stroke={1.6} />,
      run: () => change(noFilters),
    },
  ]);

  function body() {
    if (query.isPending) return <TasksSkeleton />;
    if (!query.data) {
      return (
        <FailureMessage
          what="The tasks"
          error={query.error ?? new Error('no reply')}
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        />
      );
    }
    if (shown.length > 0) return <TaskTable tasks={shown} />;
    return isFiltered(search) ? (
      <StateMessage
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title="No task matches"
        description="There may be others: these filters leave none."
      >
        <Button variant="default" onClick={() => change(noFilters)}>
          Clear filters
        </Button>
      </StateMessage>
    ) : (
      <StateMessage
        icon={<IconListCheck size={24} stroke={1.5} />}
        title="No tasks"
        description={
          <>
            The server has no background work, and none behind it that it remembers. <SampleDataHint />
          </>
        }
      />
    );
  }

  return (
    <div className={classes.screen}>
      <div className={classes.heading}>
        <h1 className={classes.title}>Tasks</h1>
        <output className={classes.count} aria-label="Tasks that match">
          {query.data && `${shown.length.toLocaleString('en')} ${shown.length === 1 ? 'task' : 'tasks'}`}
        </output>
        <StatusToggles
          tasks={inTime}
          shown={status}
          onChange={(shownStates) => change({ status: shownStates })}
        />
        <span className={classes.gap} />
        {query.isError && query.data && (
          <span className={classes.stale} role="alert" title={failureSentence(query.error)}>
            Not up to date: last loaded <RelativeTime timestamp={query.dataUpdatedAt} />
            <Button variant="subtle" size="compact-xs" onClick={() => query.refetch()}>
              Try again
            </Button>
          </span>
        )}
      </div>
      <TaskFilters tasks={inTime} search={search} inputRef={filterElement} onChange={change} />
      {inTime.length > 0 && <TaskHistogram tasks={shown} search={search} onRange={change} />}
      {body()}
    </div>
  );
}

function TasksSkeleton() {
  return (
    <div className={classes.skeleton}>
      {[58, 71, 46, 64, 52, 69, 49, 61].map((width) => (
        <div key={width} className={classes.skeletonRow} aria-hidden>
          <Skeleton height={11} width={`${width}%`} />
        </div>
      ))}
      <LoadingNote what="the tasks" />
    </div>
  );
}

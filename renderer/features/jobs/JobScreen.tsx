import { i18n } from '@lingui/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconEqual,
  IconHelpCircle,
  IconListDetails,
  IconProgress,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { actionLabel, actionText } from '../../actions/action-words.ts';
import { actionById } from '../../actions/catalogue/catalogue.ts';
import { fullNameOf, type Item, keyOf } from '../../actions/items.ts';
import { asError, distinctItems, isIncomplete, type Job, type JobItem } from '../../actions/jobs/job.ts';
import { jobsOf } from '../../actions/jobs/job-store.ts';
import { loadedNames } from '../../api/user-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { timeColumn } from '../../components/table/TimeCell.tsx';
import { useServer } from '../../console-context.ts';
import { NamedFile } from '../../subjects/media/media-columns.tsx';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { UserLink } from '../../subjects/UserCell.tsx';
import { useStoreValue } from '../../subscribers.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';

/** Lists the subjects of a bulk action, each with its outcome. */
export function JobScreen() {
  const server = useServer();
  const { jobId } = useParams({ from: '/frame/server/jobs/$jobId' });
  const jobs = jobsOf(server);
  const job = useStoreValue(jobs, () => jobs.find(jobId));
  const action = job && actionById(job.action);
  const queryClient = useQueryClient();
  const columns = useMemo(
    () => (job ? jobColumns(job, loadedNames(queryClient, server)) : []),
    [job, queryClient, server],
  );
  if (!job || !action) {
    return (
      <StateMessage
        isScreen
        icon={<IconListDetails size={24} stroke={1.5} />}
        title={i18n.t('Job no longer stored')}
        description={i18n.t('This tab keeps its newest jobs. The moderation log has older ones.')}
      >
        <Link to="/reports/log" className={cells.name}>
          {i18n.t('Moderation log')}
        </Link>
      </StateMessage>
    );
  }
  const label = actionText(action, 'label', distinctItems(job));
  return (
    <ListScreen
      id="job"
      title={job.direction === 'undo' ? i18n.t('Undo: {what}', { what: label }) : label}
      columns={columns}
      rows={localRows(JSON.stringify([server.id, job.id]), job.items)}
      idOf={({ transaction }) => transaction}
      countOf={(count) => i18n.t('{count, plural, one {# entry} other {# entries}}', { count })}
      texts={{ loading: '', loadFailed: '', empty: '', emptyNote: '' }}
    />
  );
}

type NameOf = ReturnType<typeof loadedNames>;

/** Links to the subject's page, if it has one. */
function Subject({ item, nameOf }: { item: Item; nameOf: NameOf }) {
  if (item.kind === 'user' || item.kind === 'member') {
    return <UserLink userId={item.userId} name={nameOf(item.userId)} />;
  }
  if (item.kind === 'room') return <RoomLink roomId={item.roomId} name={item.name} />;
  if (item.kind === 'media') return <NamedFile uri={item.uri} medium={undefined} />;
  return <HazardText text={ellipsize(fullNameOf(item))} />;
}

const failureOf = ({ failure }: JobItem) => (failure ? failureSentence(asError(failure)) : '');

function outcomeOf({ direction, state: ofJob }: Job, entry: JobItem): State {
  const running: State = { words: i18n.t('Running'), tone: 'info', icon: IconProgress };
  if (isIncomplete(entry)) {
    return { words: i18n.t('Incomplete'), tone: 'warning', icon: IconAlertTriangle };
  }
  switch (entry.state) {
    case 'done':
      if (entry.unchanged) return { words: i18n.t('Unchanged'), tone: 'neutral', icon: IconEqual };
      return {
        words: direction === 'undo' ? i18n.t('Undone') : i18n.t('Done'),
        tone: 'success',
        icon: IconCircleCheck,
      };
    case 'failed':
      return { words: i18n.t('Failed'), tone: 'danger', icon: IconCircleX };
    case 'task':
      return running;
    case 'running':
      return ofJob === 'running'
        ? running
        : { words: i18n.t('Unknown'), tone: 'warning', icon: IconHelpCircle };
    case 'waiting':
      return {
        words: ofJob === 'running' ? i18n.t('Waiting') : i18n.t('Not started'),
        tone: 'neutral',
        icon: IconClock,
      };
  }
}

const jobColumns = (job: Job, nameOf: NameOf): Column<JobItem>[] => [
  {
    id: 'subject',
    name: i18n.t('Subject'),
    width: 190,
    value: ({ item }) => fullNameOf(item),
    cell: ({ item }) => <Subject item={item} nameOf={nameOf} />,
  },
  {
    id: 'id',
    name: 'ID',
    width: 240,
    isMinor: true,
    value: ({ item }) => keyOf(item),
    cell: ({ item }) => (
      <span className={cells.mono} title={keyOf(item)}>
        <HazardText text={ellipsize(keyOf(item))} />
      </span>
    ),
  },
  {
    id: 'action',
    name: i18n.t('Action'),
    width: 150,
    isMinor: true,
    value: ({ step = job.action }) => actionLabel({ action: step }),
    cell: ({ step = job.action }) => actionLabel({ action: step }),
  },
  {
    id: 'outcome',
    name: i18n.t('Outcome'),
    width: 125,
    value: (entry) => outcomeOf(job, entry).words,
    cell: (entry) => <StateMark {...outcomeOf(job, entry)} />,
  },
  {
    id: 'at',
    name: i18n.t('Time'),
    width: 110,
    isMinor: true,
    ...timeColumn(({ at }) => at),
  },
  {
    id: 'error',
    name: i18n.t('Error'),
    width: 240,
    value: failureOf,
    cell: (entry) => <span title={failureOf(entry)}>{failureOf(entry)}</span>,
  },
];

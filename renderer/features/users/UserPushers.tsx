import { i18n } from '@lingui/core';
import { IconBell, IconBellOff, IconExclamationCircle } from '@tabler/icons-react';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import type { Pusher } from '../../api/user-signals.ts';
import { fileTime } from '../../components/file/table-file.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
import { TimeCell, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { ellipsize } from '../../words/clip.ts';
import { useListSearch } from './user-search.ts';

/** Lists where the server sends a user's notifications. */
export function UserPushers({ pushers }: { pushers: readonly (Pusher | UnexpectedEntry)[] }) {
  const { find, onFind, sort, onSort } = useListSearch({ order: 'app_display_name', dir: 'f' });
  return (
    <LocalTable
      id="pushers"
      label={i18n.t('Pushers')}
      rows={pushers}
      columns={columns(pushers.filter(isExpected))}
      idOf={({ app_id, pushkey }) => `${app_id} ${pushkey}`}
      sort={sort}
      onSort={onSort}
      sortValue={(pusher, order) => String(pusher[order as keyof Pusher] ?? '')}
      search={{ label: i18n.t('Search pushers'), value: find, onChange: onFind }}
      textOf={({ app_display_name, app_id, device_display_name, device_id, kind, data }) =>
        [app_display_name, app_id, device_display_name, device_id, kind, data?.url].join(' ')
      }
      countOf={(count) => i18n.t('{count, plural, one {# pusher} other {# pushers}}', { count })}
      emptyText={i18n.t('No pushers. The user gets no push notifications until a client sets one up.')}
    />
  );
}

function stateOf({ enabled, failing_since }: Pusher): State {
  if (failing_since) {
    return { words: i18n.t('Failing'), tone: 'danger', icon: IconExclamationCircle };
  }
  return enabled === false
    ? { words: i18n.t('Disabled'), tone: 'neutral', icon: IconBellOff }
    : { words: i18n.t('Enabled'), tone: 'success', icon: IconBell };
}

const plain = (text: string | null | undefined, length = 200) =>
  text && <HazardText text={ellipsize(text, length)} />;

/** Times only where the server reports them. */
const times = (): (Column<Pusher> & { id: 'failing_since' | 'last_success' })[] => [
  {
    id: 'failing_since',
    name: i18n.t('Failing since'),
    width: 120,
    comfortableWidth: timeColumnWidth,
    order: 'failing_since',
    value: ({ failing_since }) => fileTime(failing_since),
    cell: ({ failing_since }) => (failing_since ? <TimeCell timestamp={failing_since} /> : '–'),
  },
  {
    id: 'last_success',
    name: i18n.t('Last success'),
    width: 120,
    comfortableWidth: timeColumnWidth,
    order: 'last_success',
    value: ({ last_success }) => fileTime(last_success),
    cell: ({ last_success }) => (last_success ? <TimeCell timestamp={last_success} /> : '–'),
  },
];

const columns = (pushers: readonly Pusher[]): Column<Pusher>[] => [
  {
    id: 'app_display_name',
    name: i18n.t('App'),
    width: 180,
    order: 'app_display_name',
    cell: ({ app_display_name, app_id }) => plain(app_display_name || app_id),
  },
  {
    id: 'enabled',
    name: i18n.t('Status'),
    width: 120,
    order: 'enabled',
    value: (pusher) => stateOf(pusher).words,
    cell: (pusher) => <StateMark {...stateOf(pusher)} />,
  },
  ...times().filter(({ id }) => pushers.some((pusher) => pusher[id])),
  {
    id: 'device_display_name',
    name: i18n.t('Device'),
    width: 180,
    order: 'device_display_name',
    cell: ({ device_display_name, device_id }) => plain(device_display_name || device_id),
  },
  {
    id: 'kind',
    name: i18n.t('Type'),
    width: 80,
    order: 'kind',
    cell: ({ kind }) => plain(kind, 50),
  },
  {
    id: 'url',
    name: i18n.t('Push gateway'),
    width: 300,
    isMinor: true,
    value: ({ data }) => data?.url,
    cell: ({ data }) => <span className={cells.mono}>{plain(data?.url)}</span>,
  },
  {
    id: 'app_id',
    name: i18n.t('App ID'),
    width: 180,
    isMinor: true,
    order: 'app_id',
    cell: ({ app_id }) => <span className={cells.mono}>{plain(app_id)}</span>,
  },
];

import { i18n } from '@lingui/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import type { UnexpectedEntry } from '../../api/lenient.ts';
import type { Pusher } from '../../api/user-signals.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
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
      columns={columns()}
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

const stateOf = ({ enabled }: Pusher): State =>
  enabled === false
    ? { words: i18n.t('Disabled'), tone: 'neutral', icon: IconBellOff }
    : { words: i18n.t('Enabled'), tone: 'success', icon: IconBell };

const plain = (text: string | null | undefined, length = 200) =>
  text && <HazardText text={ellipsize(text, length)} />;

const columns = (): Column<Pusher>[] => [
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

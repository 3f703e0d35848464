import { i18n } from '@lingui/core';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import type { MasSessionKind } from '../../api/mas/mas-sessions.ts';
import {
  ownDeviceQuery,
  type UserConnection,
  type UserDevice,
  userDevicesQuery,
  whoIsQuery,
} from '../../api/user.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
import { useRowSelection } from '../../components/table/selection.ts';
import { timeColumn } from '../../components/table/TimeCell.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';
import classes from './Users.module.css';
import type { UserPageSearch } from './user-search.ts';
import { useListSearch } from './user-search.ts';

export function UserSessions({ userId }: { userId: string }) {
  const server = useServer();
  const devices = useQuery(userDevicesQuery(server, userId));
  return (
    <>
      {devices.error instanceof NoSuchEndpoint ? (
        <p className={classes.note}>
          {i18n.t("This server doesn't list sessions. A password reset can sign out all of them.")}
        </p>
      ) : (
        <Loaded query={devices} loading={i18n.t('Loading devices…')} notFound={i18n.t('No known devices')}>
          {(data) => <Devices userId={userId} devices={data} />}
        </Loaded>
      )}
      <h2 className={classes.sectionHeading}>{i18n.t('Connections')}</h2>
      <Connections userId={userId} />
    </>
  );
}

function Devices({ userId, devices }: { userId: string; devices: (UserDevice | UnexpectedEntry)[] }) {
  const { find, onFind, sort, onSort } = useListSearch({ order: 'last_seen_ts', dir: 'b' });
  const selection = useRowSelection(userId);
  const server = useServer();
  const query = useQuery(userDevicesQuery(server, userId));
  const ownDevice = useQuery({ ...ownDeviceQuery(server), enabled: userId === server.connection.userId });
  const selected = devices.filter(isExpected).filter((device) => selection.selected.has(idOf(device)));
  const only = selected.length === 1 ? selected[0] : undefined;
  return (
    <LocalTable
      id="devices"
      label={i18n.t('Sessions')}
      rows={devices}
      columns={deviceColumns(ownDevice.data, devices.filter(isExpected))}
      idOf={idOf}
      sort={sort}
      onSort={onSort}
      sortValue={(device, order) => device[order as Exclude<keyof UserDevice, 'mas'>]}
      search={{ label: i18n.t('Search sessions'), value: find, onChange: onFind }}
      textOf={({ device_id, display_name, last_seen_ip, last_seen_user_agent }) =>
        [device_id, display_name, last_seen_ip, last_seen_user_agent].join(' ')
      }
      countOf={(count) => i18n.t('{count, plural, one {# session} other {# sessions}}', { count })}
      emptyText={i18n.t('No sessions')}
      selection={selection}
      actions={
        <ActionBar
          {...(only && { known: { deviceName: only.display_name ?? '' } })}
          on={{
            devices: selected.map(({ device_id: deviceId, mas }) => ({
              userId,
              deviceId,
              ...(mas && { mas }),
            })),
          }}
          onActed={() => {
            selection.clear();
            void query.refetch();
          }}
        />
      }
    />
  );
}

/** MAS can list several sessions for one device. */
const idOf = ({ device_id, mas }: UserDevice) => mas?.id ?? device_id;

const kindName = (kind: MasSessionKind | undefined): string => {
  switch (kind) {
    case 'oauth2-sessions':
      return i18n.t('OAuth 2.0 client');
    case 'compat-sessions':
      return i18n.t('Legacy client');
    case 'user-sessions':
      return i18n.t('Browser');
    case 'personal-sessions':
      return i18n.t('Personal access token');
    default:
      return i18n.t('Device only');
  }
};

/** @param ownDeviceId the device ID of this console's session */
const deviceColumns = (
  ownDeviceId: string | null | undefined,
  devices: readonly UserDevice[],
): Column<UserDevice>[] => [
  {
    id: 'device_id',
    name: i18n.t('Session'),
    width: 230,
    order: 'device_id',
    cell: ({ device_id }) => (
      <>
        {device_id === ownDeviceId && (
          <StateMark words={i18n.t('This console')} tone="success" icon={IconDeviceDesktop} />
        )}
        <span className={cells.mono}>
          <HazardText text={ellipsize(device_id, 200)} />
        </span>
      </>
    ),
  },
  ...(devices.some(({ mas }) => mas)
    ? ([
        {
          id: 'kind',
          name: i18n.t('Type'),
          width: 150,
          value: ({ mas }) => mas?.kind,
          cell: ({ mas }) => kindName(mas?.kind),
        },
      ] satisfies Column<UserDevice>[])
    : []),
  {
    id: 'display_name',
    name: i18n.t('Name'),
    width: 200,
    order: 'display_name',
    cell: ({ display_name }) => display_name && <HazardText text={ellipsize(display_name, 200)} />,
  },
  {
    id: 'last_seen_ts',
    name: i18n.t('Last seen'),
    width: 120,
    order: 'last_seen_ts',
    ...timeColumn(({ last_seen_ts }) => last_seen_ts),
  },
  ...(devices.some(({ created_ts }) => created_ts)
    ? ([
        {
          id: 'created_ts',
          name: i18n.t('Created'),
          width: 120,
          order: 'created_ts',
          ...timeColumn(({ created_ts }) => created_ts),
        },
      ] satisfies Column<UserDevice>[])
    : []),
  {
    id: 'last_seen_ip',
    name: i18n.t('IP address'),
    width: 150,
    order: 'last_seen_ip',
    cell: ({ last_seen_ip }) => last_seen_ip && <HazardText text={ellipsize(last_seen_ip, 100)} />,
  },
  ...(devices.some(({ last_seen_user_agent: userAgent }) => userAgent !== undefined)
    ? ([
        {
          id: 'last_seen_user_agent',
          name: i18n.t('User agent'),
          width: 260,
          order: 'last_seen_user_agent',
          cell: ({ last_seen_user_agent }) =>
            last_seen_user_agent && <HazardText text={ellipsize(last_seen_user_agent, 300)} />,
        },
      ] satisfies Column<UserDevice>[])
    : []),
];

function Connections({ userId }: { userId: string }) {
  const {
    origin,
    originBy: order = 'last_seen',
    originWay: dir = 'b',
  } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const change = (changes: Partial<UserPageSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const query = useQuery(whoIsQuery(useServer(), userId));
  return (
    <Loaded query={query} loading={i18n.t('Loading connections…')} notFound={i18n.t('No known connections')}>
      {(connections) => (
        <LocalTable
          id="connections"
          label={i18n.t('Connections')}
          rows={connections}
          columns={connectionColumns()}
          idOf={({ ip, user_agent }) => `${ip} ${user_agent}`}
          sort={{ order, dir }}
          onSort={(next) => change({ originBy: next.order, originWay: next.dir })}
          sortValue={(connection, order) => connection[order as keyof UserConnection]}
          search={{
            label: i18n.t('Search connections'),
            value: origin,
            onChange: (next) => change({ origin: next }),
          }}
          quiet
          textOf={({ ip, user_agent }) => `${ip} ${user_agent}`}
          countOf={(count) => i18n.t('{count, plural, one {# connection} other {# connections}}', { count })}
          emptyText={i18n.t('No connections')}
        />
      )}
    </Loaded>
  );
}

const connectionColumns = (): Column<UserConnection>[] => [
  {
    id: 'ip',
    name: i18n.t('IP address'),
    width: 190,
    order: 'ip',
    cell: ({ ip }) => (
      <span className={cells.mono}>
        <HazardText text={ellipsize(ip ?? '–', 100)} />
      </span>
    ),
  },
  {
    id: 'last_seen',
    name: i18n.t('Last seen'),
    width: 120,
    order: 'last_seen',
    ...timeColumn(({ last_seen }) => last_seen),
  },
  {
    id: 'user_agent',
    name: i18n.t('User agent'),
    width: 320,
    order: 'user_agent',
    cell: ({ user_agent }) => user_agent && <HazardText text={ellipsize(user_agent, 300)} />,
  },
];

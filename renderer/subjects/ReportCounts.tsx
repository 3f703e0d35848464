import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { eventReportTotalQuery, reportsOnSenderQuery } from '../api/reports/event-reports.ts';
import { type FiledBy, type FiledKind, filedReportTotalQuery } from '../api/reports/filed-reports.ts';
import { offeredQuery } from '../api/supported-endpoints.ts';
import { useServer } from '../console-context.ts';
import { useFilterReports } from './chips.tsx';
import { Fact } from './DetailSection.tsx';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

/**
 * Returns the IDs of the newest reports on a user's events.
 *
 * @param isEnabled whether to load them; otherwise only the cache is read
 */
export function useReportIdsOnUser(userId: string | null, isEnabled = true): ReadonlySet<number> {
  const { data } = useQuery({
    ...reportsOnSenderQuery(useServer(), userId ?? ''),
    enabled: isEnabled && userId !== null,
  });
  return useMemo(() => new Set(data?.event_reports.map(({ id }) => id)), [data]);
}

/** Renders the numbers of reports against and by a user. */
export function ReportsOfUser({ userId }: { userId: string }) {
  const server = useServer();
  const filter = useFilterReports();
  const openFiled = useOpenFiled('user');
  const on = useQuery(eventReportTotalQuery(server, { event_sender_user_id: userId }));
  const by = useQuery(eventReportTotalQuery(server, { user_id: userId }));
  const offered = useQuery(offeredQuery(server));
  const isOffered = offered.data?.has('userReports') === true;
  const filed = (about: FiledBy) => ({
    ...filedReportTotalQuery(server, 'user', about),
    enabled: isOffered,
  });
  const onUser = useQuery(filed({ about: userId }));
  const byUser = useQuery(filed({ by: userId }));
  return (
    <>
      <Fact name={i18n.t('Event reports')}>
        <span className={classes.othersLine}>
          <Count query={on} textOf={againstUser} onOpen={() => filter({ sender: userId })} />
          <Count query={by} textOf={byUserText} onOpen={() => filter({ reporter: userId })} />
        </span>
      </Fact>
      {(isOffered || offered.isPending) && (
        <Fact name={i18n.t('User reports')}>
          <span className={classes.othersLine}>
            <Count query={onUser} textOf={againstUser} onOpen={() => openFiled({ about: userId })} />
            <Count query={byUser} textOf={byUserText} onOpen={() => openFiled({ by: userId })} />
          </span>
        </Fact>
      )}
    </>
  );
}

/** Renders the numbers of reports from a room and on the room. */
export function ReportsOfRoom({ roomId }: { roomId: string }) {
  const server = useServer();
  const filter = useFilterReports();
  const openFiled = useOpenFiled('room');
  const events = useQuery(eventReportTotalQuery(server, { room_id: roomId }));
  const offered = useQuery(offeredQuery(server));
  const isOffered = offered.data?.has('roomReports') === true;
  const onRoom = useQuery({
    ...filedReportTotalQuery(server, 'room', { about: roomId }),
    enabled: isOffered,
  });
  return (
    <>
      <Fact name={i18n.t('Event reports')}>
        <Count query={events} textOf={fromRoom} onOpen={() => filter({ room: roomId })} />
      </Fact>
      {(isOffered || offered.isPending) && (
        <Fact name={i18n.t('Room reports')}>
          <Count query={onRoom} textOf={onRoomText} onOpen={() => openFiled({ about: roomId })} />
        </Fact>
      )}
    </>
  );
}

const againstUser = (total: number) => i18n.t('{total, plural, other {# against user}}', { total });
const byUserText = (total: number) => i18n.t('{total, plural, other {# by user}}', { total });
const fromRoom = (total: number) => i18n.t('{total, plural, other {# from room}}', { total });
const onRoomText = (total: number) => i18n.t('{total, plural, other {# on room}}', { total });

function useOpenFiled(kind: FiledKind) {
  const navigate = useNavigate();
  return (filter: FiledBy) =>
    navigate({
      to: kind === 'user' ? '/reports/users' : '/reports/rooms',
      search: filter,
    });
}

type CountProps = {
  query: UseQueryResult<{ total: number }>;
  textOf: (total: number) => string;
  onOpen: () => void;
};

function Count({ query, textOf, onOpen }: CountProps) {
  return (
    <Loaded query={query} loading={i18n.t('Loading reports…')} notFound={i18n.t('None')}>
      {({ total }) => (
        <UnstyledButton className={classes.link} onClick={onOpen}>
          {textOf(total)}
        </UnstyledButton>
      )}
    </Loaded>
  );
}

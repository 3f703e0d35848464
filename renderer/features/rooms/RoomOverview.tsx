import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionLabel } from '../../actions/action-words.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { extremitiesQuery, type Room, roomAliasesQuery, roomCreationQuery } from '../../api/room.ts';
import { roomSizesQuery } from '../../api/room-list.ts';
import { keepsRunningTotals, serverSoftwareQuery, serverVersionQuery } from '../../api/server.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { FactGroup, FactGroups, SubjectColumns } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import cells from '../../components/table/cells.module.css';
import { useIsSpacious } from '../../components/use-spacious.ts';
import { useServer } from '../../console-context.ts';
import { CaseFact } from '../../subjects/CaseFact.tsx';
import { LoadedUserChip } from '../../subjects/chips.tsx';
import { Fact, Facts } from '../../subjects/DetailSection.tsx';
import { Loaded } from '../../subjects/Loaded.tsx';
import { ReportsOfRoom } from '../../subjects/ReportCounts.tsx';
import {
  PowerHolders,
  RoomAccess,
  RoomAddresses,
  RoomBlock,
  RoomMembers,
  RoomSuccessor,
  RoomTexts,
} from '../../subjects/RoomDetails.tsx';
import subject from '../../subjects/subjects.module.css';
import { ScheduledFact } from '../../subjects/TeamMeasures.tsx';
import { Timeline } from '../../team/Timeline.tsx';
import { ellipsize } from '../../words/clip.ts';
import { byteSize, number } from '../../words/format.ts';
import { hasSmallState } from './room-state.tsx';

export function RoomOverview({ room }: { room: Room }) {
  const roomId = room.room_id;
  const offered = useQuery(offeredQuery(useServer())).data;
  return (
    <SubjectColumns history={<Timeline subject={{ kind: 'room', roomId }} actionLabel={actionLabel} />}>
      <FactGroups>
        <FactGroup title={i18n.t('Identity and access')}>
          <Facts>
            {offered?.has('aliases') ? (
              <Fact name={i18n.t('Aliases')}>
                <Aliases roomId={roomId} main={room.canonical_alias ?? undefined} />
              </Fact>
            ) : (
              <RoomAddresses room={room} />
            )}
            <RoomTexts room={room} />
            <RoomAccess room={room} />
            <Fact name={i18n.t('Guest access')}>
              {room.guest_access &&
                (room.guest_access === 'can_join' ? i18n.t('Allowed') : i18n.t('Forbidden'))}
            </Fact>
            <Fact name={i18n.t('Federation')}>
              {typeof room.federatable === 'boolean' &&
                (room.federatable ? i18n.t('Remote users can join') : i18n.t('Local users only'))}
            </Fact>
            <RoomSuccessor room={room} />
            <ScheduledFact subject={{ kind: 'room', roomId }} />
          </Facts>
        </FactGroup>
        <FactGroup title={i18n.t('Members and activity')}>
          <Facts>
            <RoomMembers room={room} isOpen={useIsSpacious()} />
            <Creation room={room} />
            <Fact name={i18n.t('State events')}>
              {typeof room.state_events === 'number' && number(room.state_events)}
            </Fact>
            <DatabaseSize roomId={roomId} />
            {offered?.has('roomMedia') && (
              <Fact name={i18n.t('Media')}>
                <Link to="/media/rooms/$roomId" params={{ roomId }} className={subject.link}>
                  {i18n.t('Room media')}
                </Link>
              </Fact>
            )}
            {offered?.has('extremities') && (
              <Fact name={i18n.t('Forward extremities')}>
                <Extremities roomId={roomId} />
              </Fact>
            )}
          </Facts>
        </FactGroup>
        <FactGroup title={i18n.t('Moderation')}>
          <RoomBlock roomId={roomId} />
          <Facts>
            <ReportsOfRoom roomId={roomId} />
            <CaseFact subject={{ kind: 'room', roomId }} />
          </Facts>
          <PowerHolders roomId={roomId} stateEvents={room.state_events ?? undefined} sender={null} />
        </FactGroup>
      </FactGroups>
    </SubjectColumns>
  );
}

/** Shows the room's share of the database. Synapse estimates it for the largest rooms, on PostgreSQL. */
function DatabaseSize({ roomId }: { roomId: string }) {
  const server = useServer();
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const { data: sizes } = useQuery({
    ...roomSizesQuery(server),
    enabled: software !== undefined && !keepsRunningTotals(software),
  });
  const rank = sizes?.findIndex(({ room_id }) => room_id === roomId) ?? -1;
  const size = sizes?.[rank];
  return (
    <Fact name={i18n.t('Database size')}>
      {size && (
        <>
          {i18n.t('About {size}', { size: byteSize(size.estimated_size) })}{' '}
          <Link to="/rooms/by-size" className={subject.link}>
            {i18n.t('Number {rank} of the largest', { rank: number(rank + 1) })}
          </Link>
        </>
      )}
    </Fact>
  );
}

/** The first minor version of Synapse that certainly filters a room's state by type. */
const filtersStateSince = 152;

/** Shows date and creator. The date isn't loaded if that takes the whole state of a large room. */
function Creation({ room }: { room: Room }) {
  const server = useServer();
  const roomId = room.room_id;
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const { data: version } = useQuery({ ...serverVersionQuery(server), enabled: false });
  const [, minor] = /^1\.(\d+)\./.exec(version?.server_version ?? '') ?? [];
  const isFiltered = software === 'Synapse' && Number(minor) >= filtersStateSince;
  const isCheap = !roomId.includes(':') || isFiltered || hasSmallState(room);
  const { data: created } = useQuery({ ...roomCreationQuery(server, roomId), enabled: isCheap });
  return (
    <>
      <Fact name={i18n.t('Created')}>
        {typeof created === 'number' && <RelativeTime timestamp={created} long />}
      </Fact>
      <Fact name={i18n.t('Created by')}>
        {room.creator && <LoadedUserChip kind={i18n.t('Creator')} id={room.creator} />}
      </Fact>
    </>
  );
}

/** Lists the aliases, the main one first. Remote aliases can't be removed here. */
function Aliases({ roomId, main }: { roomId: string; main: string | undefined }) {
  const query = useQuery(roomAliasesQuery(useServer(), roomId));
  return (
    <Loaded query={query} loading={main ?? i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
      {(aliases) => {
        const all = [...new Set([...(main ? [main] : []), ...aliases])];
        if (all.length === 0) return <span className={subject.dim}>{i18n.t('No local aliases')}</span>;
        return (
          <ul className={subject.removables} aria-label={i18n.t('Aliases')}>
            {all.map((alias) => (
              <li key={alias}>
                <span>
                  <span className={cells.mono}>
                    <HazardText text={ellipsize(alias, 300)} />
                  </span>{' '}
                  {alias === main && <span className={subject.dim}>{i18n.t('main')}</span>}
                </span>
                {aliases.includes(alias) && (
                  <ActionBar
                    quiet
                    on={{ aliases: [{ roomId, alias }] }}
                    onActed={() => void query.refetch()}
                  />
                )}
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

const maxListed = 50;

/** Loads when opened: a room can have thousands of extremities. */
function Extremities({ roomId }: { roomId: string }) {
  const { data } = useQuery({
    ...extremitiesQuery(useServer(), roomId),
    // Never fetches first, but refreshes after an action.
    enabled: ({ state }) => state.data !== undefined,
  });
  return (
    <Disclosure
      label={
        data
          ? i18n.t('{count, plural, one {# forward extremity} other {# forward extremities}}', {
              count: data.count,
            })
          : i18n.t('Load forward extremities')
      }
      facts={
        data && data.count > 10 ? i18n.t('May slow down the room. Delete them under Actions.') : undefined
      }
    >
      <ExtremityList roomId={roomId} />
    </Disclosure>
  );
}

function ExtremityList({ roomId }: { roomId: string }) {
  const query = useQuery(extremitiesQuery(useServer(), roomId));
  return (
    <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
      {({ results }) => (
        <ul className={subject.entries}>
          {results.slice(0, maxListed).map(({ event_id, depth, received_ts }) => (
            <li key={event_id}>
              <span className={cells.mono}>
                <HazardText text={ellipsize(event_id, 300)} />
              </span>
              <span className={subject.dim}>
                {typeof depth === 'number' && i18n.t('depth {depth}', { depth: number(depth) })}{' '}
                {received_ts && <RelativeTime timestamp={received_ts} long />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

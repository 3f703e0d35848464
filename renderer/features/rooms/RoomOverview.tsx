import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { nameOfAction } from '../../actions/action-words.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { offeredQuery } from '../../api/offered.ts';
import { extremitiesQuery, type Room, roomAliasesQuery } from '../../api/room.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { SubjectColumns } from '../../components/SubjectPage.tsx';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { Fact, Facts } from '../../subjects/DetailSection.tsx';
import { Loaded } from '../../subjects/Loaded.tsx';
import { ReportsOfRoom } from '../../subjects/ReportCounts.tsx';
import { RoomDetails } from '../../subjects/RoomDetails.tsx';
import subject from '../../subjects/subjects.module.css';
import { Timeline } from '../../team/Timeline.tsx';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import classes from './Rooms.module.css';

export function RoomOverview({ room }: { room: Room }) {
  const roomId = room.room_id;
  const offered = useQuery(offeredQuery(useServer())).data;
  return (
    <SubjectColumns history={<Timeline subject={{ kind: 'room', roomId }} nameOfAction={nameOfAction} />}>
      <RoomDetails roomId={roomId} sender={null} />
      <Facts>
        <Fact name={i18n.t('Federation')}>
          {typeof room.federatable === 'boolean' &&
            (room.federatable ? i18n.t('Remote users can join') : i18n.t('Local users only'))}
        </Fact>
        <Fact name={i18n.t('Guest access')}>
          {room.guest_access && (room.guest_access === 'can_join' ? i18n.t('Allowed') : i18n.t('Forbidden'))}
        </Fact>
        <Fact name={i18n.t('State events')}>
          {typeof room.state_events === 'number' && number(room.state_events)}
        </Fact>
        <ReportsOfRoom roomId={roomId} />
        {offered?.has('roomMedia') && (
          <Fact name={i18n.t('Media')}>
            <Link
              to="/media/rooms/$roomId"
              params={{ roomId }}
              search={({ server }) => ({ server })}
              className={subject.link}
            >
              {i18n.t('Room media')}
            </Link>
          </Fact>
        )}
        {offered?.has('aliases') && (
          <Fact name={i18n.t('Aliases')}>
            <Aliases roomId={roomId} />
          </Fact>
        )}
        {offered?.has('extremities') && (
          <Fact name={i18n.t('Forward extremities')}>
            <Extremities roomId={roomId} />
          </Fact>
        )}
      </Facts>
    </SubjectColumns>
  );
}

function Aliases({ roomId }: { roomId: string }) {
  const query = useQuery(roomAliasesQuery(useServer(), roomId));
  return (
    <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
      {(aliases) =>
        aliases.length === 0 ? (
          <span className={subject.dim}>{i18n.t('No local aliases')}</span>
        ) : (
          <ul className={classes.aliases} aria-label={i18n.t('Aliases')}>
            {aliases.map((alias) => (
              <li key={alias}>
                <span className={cells.mono}>
                  <HazardText text={ellipsize(alias, 300)} />
                </span>
                <ActionBar quiet on={{ aliases: [{ roomId, alias }] }} onActed={() => void query.refetch()} />
              </li>
            ))}
          </ul>
        )
      }
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

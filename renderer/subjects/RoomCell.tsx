import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { roomQuery } from '../api/room.ts';
import { Avatar } from '../components/Avatar.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { maxNameLength } from '../components/Identity.tsx';
import { useDwelledInView } from '../components/in-view.ts';
import cells from '../components/table/cells.module.css';
import { useServer } from '../console-context.ts';
import { ellipsize } from '../words/clip.ts';
import { number } from '../words/format.ts';

/** Links a room's name, or else its ID, to the room's page. */
export const RoomLink = ({ roomId, name }: { roomId: string; name: string | null | undefined }) => (
  <Link to="/rooms/$roomId" params={{ roomId }} className={cells.person} title={roomId}>
    <Avatar id={roomId} name={name} />
    <span className={cells.called}>
      <HazardText text={ellipsize(name || roomId, maxNameLength)} />
    </span>
  </Link>
);

type LoadedProps = { roomId: string; fact: 'name' | 'joined_members' | 'state_events' };

/** Renders a fact of a room that its row doesn't have: loads the room once its row has been visible for a moment. */
export function LoadedRoomCell({ roomId, fact }: LoadedProps) {
  const [ref, isVisible] = useDwelledInView();
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: isVisible });
  if (fact === 'name') {
    return (
      <span ref={ref}>
        <RoomLink roomId={roomId} name={data?.name || data?.canonical_alias} />
      </span>
    );
  }
  const count = data?.[fact];
  return <span ref={ref}>{data && (typeof count === 'number' ? number(count) : '–')}</span>;
}

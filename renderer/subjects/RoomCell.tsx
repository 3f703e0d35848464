import { Link } from '@tanstack/react-router';
import { Avatar } from '../components/Avatar.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { maxNameLength } from '../components/Identity.tsx';
import cells from '../components/table/cells.module.css';
import { ellipsize } from '../words/clip.ts';

/** Links a room's name, or else its ID, to the room's page. */
export const RoomLink = ({ roomId, name }: { roomId: string; name: string | null | undefined }) => (
  <Link to="/rooms/$roomId" params={{ roomId }} className={cells.person} title={roomId}>
    <Avatar id={roomId} name={name} />
    <span className={cells.called}>
      <HazardText text={ellipsize(name || roomId, maxNameLength)} />
    </span>
  </Link>
);

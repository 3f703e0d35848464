import { useQuery } from '@tanstack/react-query';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { GivenName, mostOfName } from '../../components/Identity.tsx';
import { useServer } from '../../console-context.ts';
import { clipped } from '../../words/beginning.ts';
import classes from './RoomResource.module.css';

/** A room that a task is about, by what people call it: its identifier where the server no longer knows it. */
export function RoomResource({ roomId }: { roomId: string }) {
  const { data: room } = useQuery({ ...roomQuery(useServer(), roomId), retryOnMount: false });
  const name = room?.name || room?.canonical_alias;
  return (
    <span title={roomId}>
      {name && (
        <span className={classes.name}>
          <GivenName name={clipped(name, mostOfName)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={roomId} />
      </span>
    </span>
  );
}

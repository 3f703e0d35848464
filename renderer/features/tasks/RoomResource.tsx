import { useQuery } from '@tanstack/react-query';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { nameWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { useServer } from '../../console-context.ts';
import { clipped } from '../../words/beginning.ts';
import classes from './RoomResource.module.css';

/** A room that a task is about, by what people call it: its identifier where the server no longer knows it. */
export default function RoomResource({ roomId }: { roomId: string }) {
  const { data: room } = useQuery({ ...roomQuery(useServer(), roomId), retryOnMount: false });
  const name = room?.name || room?.canonical_alias;
  const warning = name ? nameWarning(name) : undefined;
  return (
    <span title={roomId}>
      {name && (
        <span className={classes.name}>
          {warning && <Warning reason={warning} />} <HazardText text={clipped(name, 256)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={roomId} />
      </span>
    </span>
  );
}

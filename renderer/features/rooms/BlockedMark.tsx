import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { offeredQuery } from '../../api/offered.ts';
import { listedRoomBlockQuery } from '../../api/room.ts';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { useLookedAt } from '../../subjects/looked-at.ts';

/** In a row: that the room is blocked. No list tells it, so it is asked of the rows that one looks at. */
export function BlockedMark({ roomId }: { roomId: string }) {
  const server = useServer();
  const [ref, isLookedAt] = useLookedAt();
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const { data } = useQuery({
    ...listedRoomBlockQuery(server, roomId),
    enabled: isLookedAt && offered?.has('block') === true,
  });
  return (
    <span ref={ref}>
      {data?.block && (
        <span className={cells.state} data-grave>
          {i18n.t('Blocked')}
        </span>
      )}
    </span>
  );
}

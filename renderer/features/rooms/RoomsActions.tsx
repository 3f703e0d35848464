import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { truncate } from '../../words/clip.ts';

/** Limits the size of a saved job with thousands of rooms. */
const maxNameLength = 100;

type ActionsProps = {
  roomIds: readonly string[];
  names: ReadonlyMap<string, string>;
  onActed: () => void;
};

/** Memoizes the items: thousands can be selected. */
export function RoomsActions({ roomIds, names, onActed }: ActionsProps) {
  const on = useMemo(() => {
    const nameOf = (roomId: string) => truncate(names.get(roomId) ?? '', maxNameLength);
    return { rooms: roomIds.map((roomId) => ({ roomId, name: nameOf(roomId) || roomId })) };
  }, [roomIds, names]);
  return <ActionBar on={on} onActed={onActed} />;
}

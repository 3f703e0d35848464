import { useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import { useServer } from '../console-context.ts';
import { persisted } from '../persisted.ts';

/** Whether the offer to share with the team was waved away on this machine, and the way to do so. */
export function useOfferLater(): { isLater: boolean; later: () => void } {
  const server = useServer();
  const waved = persisted(`gatehouse.team.later.${server.id}`, Type.Boolean(), false);
  return { isLater: useSyncExternalStore(waved.subscribe, waved.read), later: () => waved.write(true) };
}

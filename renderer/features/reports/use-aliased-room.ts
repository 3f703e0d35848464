import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { aliasedRoomQuery } from '../../api/room-list.ts';
import { useServer } from '../../console-context.ts';
import type { AliasedRoom } from './filter-suggestions.ts';

/** While someone types, nothing is asked for. */
const restMilliseconds = 200;

/** The room that a whole address leads to, once that is known. */
export function useAliasedRoom(typed: string): AliasedRoom | undefined {
  const alias = typed.trim();
  const [rested] = useDebouncedValue(alias, restMilliseconds);
  const isWhole = /^#[^\s:]+:\S+$/.test(alias);
  const { data: roomId } = useQuery({
    ...aliasedRoomQuery(useServer(), alias),
    enabled: isWhole && rested === alias,
  });
  return useMemo(() => (roomId ? { alias, roomId } : undefined), [alias, roomId]);
}

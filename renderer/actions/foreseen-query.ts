import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import type { Action, Answers, Prospect } from './action.ts';
import { type Item, keyOf } from './subject.ts';

/** In milliseconds: what is typed on the way to an answer isn't asked for. */
export const foreseenPause = 300;

export const foreseenQuery = (
  server: Server,
  action: Action | undefined,
  item: Item | undefined,
  fields: Answers['fields'],
) =>
  queryOptions({
    queryKey: [server.id, 'foreseen', action?.id, item && keyOf(item), fields],
    queryFn: async ({ signal }): Promise<Prospect> =>
      (item && (await action?.foresee?.(server, item, { reason: '', fields }, signal))) ?? { said: [] },
    enabled: action !== undefined,
    staleTime: 10_000,
    retry: false,
  });

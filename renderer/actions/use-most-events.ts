import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useServer } from '../console-context.ts';
import type { Action, Answers } from './action.ts';
import { foreseenPause, foreseenQuery } from './foreseen-query.ts';
import type { Item } from './subject.ts';

/** The number of events that all chosen steps redact of one user at most; undefined where the server doesn't tell. */
export function useMostEvents(
  chosen: readonly Action[],
  items: readonly Item[],
  fields: Answers['fields'],
): { isKnown: boolean; most: number | undefined } {
  const server = useServer();
  const [settled] = useDebouncedValue(fields, foreseenPause);
  const redaction = items.length === 1 ? chosen.find(({ id }) => id === 'redact-user') : undefined;
  const query = useQuery(foreseenQuery(server, redaction, items[0], settled));
  if (!redaction) return { isKnown: true, most: undefined };
  return { isKnown: settled === fields && !query.isPending, most: query.data?.mostEvents };
}

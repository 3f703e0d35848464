import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type EventReportFilter, eventReportTotalQuery } from '../../api/event-reports.ts';
import { useServer } from '../../console-context.ts';
import type { FilterName, Suggestion } from './filter-suggestions.ts';

/** While someone types, nothing is asked for. */
const restMilliseconds = 200;
const parameters = { room: 'room_id', reporter: 'user_id', sender: 'event_sender_user_id' } as const;

/** A suggestion, with how many reports match it beside the other filters; undefined while that isn't known. */
export type CountedSuggestion = Suggestion & { total: number | undefined };

/**
 * Suggestions with the server's numbers, which those of the loaded reports say nothing about. Once all are known, what
 * matches most comes first.
 */
export function useSuggestionTotals(
  suggestions: readonly Suggestion[],
  typed: string,
  filter: EventReportFilter,
): CountedSuggestion[] {
  const server = useServer();
  const [rested] = useDebouncedValue(typed, restMilliseconds);
  const isAsked = typed.trim() !== '' && rested === typed;
  const totals = useQueries({
    queries: (isAsked ? suggestions : []).map(({ filter: name, id }) =>
      eventReportTotalQuery(server, { ...filter, [parameters[name]]: id }),
    ),
    combine: useCallback(
      (results: UseQueryResult<{ total: number }>[]) => results.map(({ data }) => data?.total),
      [],
    ),
  });
  return useMemo(() => {
    const counted = suggestions.map((suggestion, index) => ({ ...suggestion, total: totals[index] }));
    const areKnown = counted.length > 0 && counted.every(({ total }) => total !== undefined);
    if (!areKnown) return counted;
    return counted.sort((one, other) => (other.total ?? 0) - (one.total ?? 0));
  }, [suggestions, totals]);
}

/** The kinds of filters in the order in which their first suggestion comes. */
export const inOrder = (suggestions: readonly Suggestion[]): FilterName[] => [
  ...new Set(suggestions.map(({ filter }) => filter)),
];

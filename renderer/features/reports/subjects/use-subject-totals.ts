import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { readJson } from '../../../../shared/read-json.ts';
import { type EventReportFilter, eventReportTotalQuery } from '../../../api/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import type { Subject } from './subjects.ts';

/** More than a person reads through. */
const mostAsked = 40;

type Asked = { name: string; of: readonly { key: string; filter: EventReportFilter }[] };
const nobody: Asked['of'] = [];

/**
 * How many reports the server has on each of the first groups, by their keys, as soon as all are known; undefined
 * where it isn't asked. Groups by event are left out: no filter names an event. The first are those of the time when
 * it is enabled, whichever come before them later.
 *
 * @param name names the list: of another one, others are the first
 */
export function useSubjectTotals(
  subjects: readonly Subject[] | undefined,
  enabled: boolean,
  name: string,
): ReadonlyMap<string, number> | undefined {
  const server = useServer();
  const [first, setFirst] = useState<Asked>();
  if (enabled && subjects && first?.name !== name) setFirst({ name, of: firstOf(subjects) });
  const asked = enabled && first?.name === name ? first.of : nobody;
  const keys = JSON.stringify(asked.map(({ key }) => key));
  return useQueries({
    queries: asked.map(({ filter }) => eventReportTotalQuery(server, filter)),
    combine: useCallback(
      (results: UseQueryResult<{ total: number }>[]) => {
        const names: string[] = readJson(keys);
        const known = results.flatMap(({ data }, index) =>
          data ? [[names[index] as string, data.total] as const] : [],
        );
        return known.length > 0 && known.length === results.length ? new Map(known) : undefined;
      },
      [keys],
    ),
  });
}

const firstOf = (subjects: readonly Subject[]): Asked['of'] =>
  subjects
    .slice(0, mostAsked)
    .flatMap(({ key, subject }) => (subject && !subject.eventId ? [{ key, filter: subject.filter }] : []));

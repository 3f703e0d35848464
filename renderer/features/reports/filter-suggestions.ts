import type { EventReportItem } from '../../../shared/api/reports.ts';

export type FilterName = 'room' | 'reporter' | 'sender';
export const filterNames: readonly FilterName[] = ['room', 'reporter', 'sender'];
export const filterLabels: Record<FilterName, string> = {
  room: /*i18n*/ 'Room',
  reporter: /*i18n*/ 'Reporter',
  sender: /*i18n*/ 'Sender',
};

export type Suggestion = {
  filter: FilterName;
  id: string;
  /** A room's name or alias, if it has one. */
  name?: string;
  /** A room's alias. */
  alias?: string;
  /** Number of loaded reports with it, which is only used to rank suggestions. */
  count: number;
};

/** A room that an alias points to. */
export type AliasedRoom = { alias: string; roomId: string };

const maxPerFilter = 5;

/**
 * Returns possible meanings of typed text: rooms and users of the loaded reports, most frequent first, and complete IDs
 * or aliases, even without a loaded report.
 */
export function filterSuggestions(
  reports: readonly EventReportItem[],
  typed: string,
  aliased?: AliasedRoom,
): Suggestion[] {
  const text = typed.trim();
  const wanted = text.toLowerCase();
  const known = filterNames.flatMap((filter) => {
    const counted = new Map<string, Suggestion>();
    for (const report of reports) {
      const suggestion = suggestionOf(filter, report);
      if (!suggestion) continue;
      suggestion.count += counted.get(suggestion.id)?.count ?? 0;
      counted.set(suggestion.id, suggestion);
    }
    return [...counted.values()]
      .filter(({ id, name, alias }) =>
        [id, name, alias].some((known) => known?.toLowerCase().includes(wanted)),
      )
      .sort((one, other) => other.count - one.count)
      .slice(0, maxPerFilter);
  });
  known.sort((one, other) => other.count - one.count);
  return [...known, ...wholeIds(text, aliased).filter((typedId) => !known.some((one) => same(one, typedId)))];
}

const same = (one: Suggestion, other: Suggestion) => one.filter === other.filter && one.id === other.id;

function suggestionOf(filter: FilterName, report: EventReportItem): Suggestion | undefined {
  switch (filter) {
    case 'room':
      return {
        filter,
        id: report.room_id,
        name: report.name ?? report.canonical_alias ?? undefined,
        alias: report.canonical_alias ?? undefined,
        count: 1,
      };
    case 'reporter':
      return { filter, id: report.user_id, count: 1 };
    case 'sender':
      return report.sender === null ? undefined : { filter, id: report.sender, count: 1 };
  }
}

function wholeIds(text: string, aliased: AliasedRoom | undefined): Suggestion[] {
  if (aliased?.alias === text) return [{ filter: 'room', id: aliased.roomId, name: text, count: 0 }];
  if (/^![^\s]+$/.test(text)) return [{ filter: 'room', id: text, count: 0 }];
  if (!/^@[^\s:]+:[^\s]+$/.test(text)) return [];
  return [
    { filter: 'reporter', id: text, count: 0 },
    { filter: 'sender', id: text, count: 0 },
  ];
}

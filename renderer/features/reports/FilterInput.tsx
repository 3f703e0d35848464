import { i18n } from '@lingui/core';
import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { type Ref, useCallback, useEffect, useMemo, useState } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { type EventReportFilter, eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { aliasedRoomQuery } from '../../api/room-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { parsePastedId } from '../../components/pasted-id.ts';
import { useServer } from '../../console-context.ts';
import classes from './FilterInput.module.css';
import {
  type AliasedRoom,
  type FilterName,
  filterLabels,
  filterSuggestions,
  type Suggestion,
} from './filter-suggestions.ts';

/** Debounces requests. */
const debounceMs = 200;

/** Resolves a complete alias. */
function useAliasedRoom(typed: string): AliasedRoom | undefined {
  const alias = typed.trim();
  const [rested] = useDebouncedValue(alias, debounceMs);
  const isWhole = /^#[^\s:]+:\S+$/.test(alias);
  const { data: roomId } = useQuery({
    ...aliasedRoomQuery(useServer(), alias),
    enabled: isWhole && rested === alias,
  });
  return useMemo(() => (roomId ? { alias, roomId } : undefined), [alias, roomId]);
}

const parameters = { room: 'room_id', reporter: 'user_id', sender: 'event_sender_user_id' } as const;

/** `total`: number of matches along with the other filters; undefined while loading. */
type CountedSuggestion = Suggestion & { total: number | undefined };

/** Adds the server's totals to suggestions. Sorts by them once all are known. */
function useSuggestionTotals(
  suggestions: readonly Suggestion[],
  typed: string,
  filter: EventReportFilter,
): CountedSuggestion[] {
  const server = useServer();
  const [rested] = useDebouncedValue(typed, debounceMs);
  const isCounted = typed.trim() !== '' && rested === typed;
  const totals = useQueries({
    queries: (isCounted ? suggestions : []).map(({ filter: name, id }) =>
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

/** Orders filters by their first suggestion. */
const filtersOf = (suggestions: readonly Suggestion[]): FilterName[] => [
  ...new Set(suggestions.map(({ filter }) => filter)),
];

type Props = {
  reports: readonly EventReportItem[];
  /** The active filters. */
  filter: EventReportFilter;
  inputRef: Ref<HTMLInputElement>;
  onChoose: (suggestion: Suggestion) => void;
  onSearch: (words: string) => void;
  onLeave: () => void;
};

/** One field for all filters: accepts part of a room's or user's name, or a complete ID. */
export function FilterInput({ reports, filter: current, inputRef, onChoose, onSearch, onLeave }: Props) {
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const aliased = useAliasedRoom(typed);
  const likely = useMemo(
    () => (combobox.dropdownOpened ? filterSuggestions(reports, typed, aliased) : []),
    [combobox.dropdownOpened, reports, typed, aliased],
  );
  const suggestions = useSuggestionTotals(likely, typed, current);
  const [first] = suggestions;
  const firstKey = first && `${first.filter} ${first.id}`;
  // Keeps the first option selected until the user selects another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another first option
  useEffect(() => {
    if (typed !== '' && combobox.getSelectedOptionIndex() <= 0) combobox.selectFirstOption();
  }, [firstKey]);

  /** Text with a sigil is an ID. */
  const mayBeWords = /^[^@!#\s]/.test(typed.trim());

  function choose(value: string) {
    if (value === 'words') {
      onSearch(typed.trim());
      setTyped('');
      combobox.closeDropdown();
      return;
    }
    const suggestion = suggestions[Number(value)];
    if (!suggestion) return;
    setTyped('');
    combobox.closeDropdown();
    onChoose(suggestion);
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      position="bottom-start"
      width="max-content"
      keepMounted={false}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          ref={inputRef}
          role="combobox"
          className={classes.input}
          aria-label={i18n.t('Filter reports')}
          placeholder={i18n.t('Filter or search')}
          leftSection={<IconFilter size={14} stroke={1.6} />}
          value={typed}
          onChange={(event) => {
            setTyped(parsePastedId(event.currentTarget.value));
            combobox.openDropdown();
            combobox.selectFirstOption();
          }}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            combobox.closeDropdown();
            setTyped('');
            onLeave();
          }}
          spellCheck={false}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Options aria-label={i18n.t('Filters')} mah="min(360px, 40vh)" style={{ overflowY: 'auto' }}>
          {filtersOf(suggestions).map((filter) => {
            const options = suggestions.filter((suggestion) => suggestion.filter === filter);
            return (
              options.length > 0 && (
                <Combobox.Group key={filter} label={i18n.t(filterLabels[filter])}>
                  {options.map((suggestion) => (
                    <Combobox.Option
                      key={suggestion.id}
                      value={String(suggestions.indexOf(suggestion))}
                      className={classes.option}
                    >
                      <span className={classes.label}>
                        <HazardText text={suggestion.name ?? suggestion.id} />
                      </span>
                      {suggestion.name && <span className={classes.id}>{suggestion.id}</span>}
                      {suggestion.total !== undefined && (
                        <span className={classes.count}>
                          {i18n.t('{count, plural, one {# report} other {# reports}}', {
                            count: suggestion.total,
                          })}
                        </span>
                      )}
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              )
            );
          })}
          {mayBeWords && (
            <Combobox.Group label={i18n.t('Words')}>
              <Combobox.Option value="words" className={classes.option}>
                <span className={classes.label}>
                  {i18n.t('In reason or message: {words}', { words: typed.trim() })}
                </span>
              </Combobox.Option>
            </Combobox.Group>
          )}
          {suggestions.length === 0 && !mayBeWords && (
            <Combobox.Empty>
              {i18n.t('Name, full ID (@user:example.org) or words from a reason')}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

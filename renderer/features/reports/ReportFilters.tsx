import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo, type Ref } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { SavedViews } from '../../team/SavedViews.tsx';
import { shortDay } from '../../words/format.ts';
import { ArrangeMenu, type Arrangement, groupLabels, orderLabel } from './ArrangeMenu.tsx';
import { FilterInput } from './FilterInput.tsx';
import { filterLabels, filterNames } from './filter-suggestions.ts';
import classes from './ReportFilters.module.css';
import { filterOf, isFiltered, type ReportSearch } from './report-search.ts';

type Props = {
  search: ReportSearch;
  reports: readonly EventReportItem[];
  inputRef: Ref<HTMLInputElement>;
  onChange: (change: Partial<ReportSearch>) => void;
  onLeave: () => void;
  arranging: Arrangement | undefined;
  onArrange: (menu: Arrangement | undefined) => void;
};

export const ReportFilters = memo(function ReportFilters(props: Props) {
  const { search, reports, inputRef, onChange, onLeave } = props;
  const { order, group, text, reason, since, until } = search;
  const active = filterNames.filter((name) => search[name] !== undefined);
  return (
    <search className={classes.root} aria-label={i18n.t('Filters')}>
      <div className={classes.bar}>
        <FilterInput
          inputRef={inputRef}
          reports={reports}
          filter={filterOf(search)}
          onChoose={({ filter, id }) => onChange({ [filter]: id })}
          onSearch={(words) => onChange({ text: words })}
          onLeave={onLeave}
        />
        <ArrangeMenu search={search} onChange={onChange} opened={props.arranging} onOpen={props.onArrange} />
        <SavedViews list="reports" openRow="report" isBesideField />
      </div>
      {(isFiltered(search) || order || group) && (
        <div className={classes.chips}>
          {active.map((name) => (
            <FilterChip
              key={name}
              label={i18n.t(filterLabels[name])}
              value={chipText(name, search[name] ?? '', reports)}
              title={search[name] ?? ''}
              onRemove={() => onChange({ [name]: undefined })}
            />
          ))}
          {text && (
            <FilterChip
              label={i18n.t('Words')}
              value={text}
              title={text}
              onRemove={() => onChange({ text: undefined })}
            />
          )}
          {reason !== undefined && (
            <FilterChip
              label={i18n.t('Reason')}
              value={reason || i18n.t('No reason given')}
              title={reason || i18n.t('No reason given')}
              onRemove={() => onChange({ reason: undefined })}
            />
          )}
          {(since || until) && (
            <FilterChip
              label={i18n.t('Reported')}
              value={daysText(since, until)}
              title={daysText(since, until)}
              onRemove={() => onChange({ since: undefined, until: undefined })}
            />
          )}
          {group && (
            <FilterChip
              label={i18n.t('Grouped')}
              value={i18n.t(groupLabels[group])}
              title={i18n.t(groupLabels[group])}
              onRemove={() => onChange({ group: undefined })}
            />
          )}
          {order && (
            <FilterChip
              label={i18n.t('Sort')}
              value={orderLabel(order, search)}
              title={orderLabel(order, search)}
              onRemove={() => onChange({ order: undefined })}
            />
          )}
        </div>
      )}
    </search>
  );
});

/** A day, or the first and the last of several. */
const daysText = (since: string | undefined, until: string | undefined) =>
  [...new Set([since, until])].map((day) => (day ? shortDay(new Date(`${day}T12:00`)) : '')).join(' – ');

/** A room's name if a loaded report has it; its ID is in the chip's tooltip. */
function chipText(name: string, id: string, reports: readonly EventReportItem[]): string {
  const room = name === 'room' ? reports.find(({ room_id }) => room_id === id) : undefined;
  return room?.name ?? room?.canonical_alias ?? id;
}

type ChipProps = { label: string; value: string; title: string; onRemove: () => void };

function FilterChip({ label, value, title, onRemove }: ChipProps) {
  return (
    <span className={classes.chip} title={title}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>
        <HazardText text={value} />
      </span>
      <UnstyledButton
        className={classes.remove}
        onClick={onRemove}
        aria-label={i18n.t('Remove filter: {label}', { label })}
      >
        <IconX size={12} aria-hidden />
      </UnstyledButton>
    </span>
  );
}

import { i18n } from '@lingui/core';
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconSortAscending, IconSortDescending, IconX } from '@tabler/icons-react';
import type { Ref } from 'react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { FilterInput } from './FilterInput.tsx';
import { filterLabels, filterNames } from './filter-suggestions.ts';
import classes from './ReportFilters.module.css';
import type { ReportSearch } from './report-search.ts';

type Props = {
  search: ReportSearch;
  reports: EventReportItem[];
  inputRef: Ref<HTMLInputElement>;
  onChange: (change: Partial<ReportSearch>) => void;
  onLeave: () => void;
};

export function ReportFilters({ search, reports, inputRef, onChange, onLeave }: Props) {
  const oldestFirst = search.order === 'oldest';
  const active = filterNames.filter((name) => search[name] !== undefined);
  return (
    <search className={classes.root} aria-label={i18n.t('Filters')}>
      <div className={classes.bar}>
        <FilterInput
          inputRef={inputRef}
          reports={reports}
          onChoose={({ filter, id }) => onChange({ [filter]: id })}
          onLeave={onLeave}
        />
        <Tooltip label={oldestFirst ? i18n.t('Oldest first') : i18n.t('Newest first')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={oldestFirst ? i18n.t('Order: oldest first') : i18n.t('Order: newest first')}
            onClick={() => onChange({ order: oldestFirst ? undefined : 'oldest' })}
          >
            {oldestFirst ? (
              <IconSortAscending size={16} stroke={1.6} />
            ) : (
              <IconSortDescending size={16} stroke={1.6} />
            )}
          </ActionIcon>
        </Tooltip>
      </div>
      {(active.length > 0 || oldestFirst) && (
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
          {oldestFirst && (
            <FilterChip
              label={i18n.t('Order')}
              value={i18n.t('oldest first')}
              title={i18n.t('Oldest first')}
              onRemove={() => onChange({ order: undefined })}
            />
          )}
        </div>
      )}
    </search>
  );
}

/** A room by its name where a loaded report knows it; its id is in the chip's title. */
function chipText(name: string, id: string, reports: EventReportItem[]): string {
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
        aria-label={i18n.t('Remove the filter: {label}', { label })}
      >
        <IconX size={12} aria-hidden />
      </UnstyledButton>
    </span>
  );
}

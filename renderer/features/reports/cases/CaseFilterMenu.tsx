import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconFilter, IconFilterFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { ButtonPanel } from '../../../components/ButtonMenu.tsx';
import classes from './CaseFilters.module.css';
import { CaseFilterFields, type RoomChoice } from './CaseFilters.tsx';
import { type CaseFilters, filterNames, hasFilters } from './case-search.ts';
import type { Case } from './cases.ts';

type Props = {
  search: CaseFilters;
  cases: readonly Case[];
  onChange: (changes: Partial<CaseFilters>) => void;
};

/** Button with the filters of cases. */
export function CaseFilterMenu({ search, cases, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const count = filterNames.filter((name) => name !== 'text' && search[name] !== undefined).length;
  const label = i18n.t('{count, plural, =0 {Filters} one {# filter} other {# filters}}', { count });
  return (
    <ButtonPanel
      label={label}
      hint={label}
      icon={count > 0 ? IconFilterFilled : IconFilter}
      isBesideField
      opened={opened}
      onOpen={setOpened}
    >
      <CaseFilterFields filters={search} rooms={roomsOf(cases)} onChange={onChange} />
      {hasFilters(search) && (
        <Button
          className={classes.clear}
          variant="default"
          size="xs"
          onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          {i18n.t('Clear filters')}
        </Button>
      )}
    </ButtonPanel>
  );
}

const maxRooms = 50;

/** Returns the rooms of cases, those of most reports first. */
export function roomsOf(cases: readonly Case[]): RoomChoice[] {
  const rooms = new Map<string, { name: string; count: number }>();
  for (const { subject, reports } of cases) {
    if (subject.kind === 'room' && !rooms.has(subject.roomId)) {
      rooms.set(subject.roomId, { name: subject.roomId, count: 1 });
    }
    for (const { event } of reports) {
      if (!event?.room_id) continue;
      const { count } = rooms.get(event.room_id) ?? { count: 0 };
      const name = event.name ?? event.canonical_alias ?? event.room_id;
      rooms.set(event.room_id, { name, count: count + 1 });
    }
  }
  return [...rooms]
    .sort(([, one], [, other]) => other.count - one.count)
    .slice(0, maxRooms)
    .map(([roomId, { name }]) => ({ roomId, name }));
}

import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AddFilter, FilterChip } from '../../../components/filters/FilterChips.tsx';
import { DayField } from '../../../components/filters/FilterFields.tsx';
import { dayOf } from '../../../words/format.ts';
import { type UserSegment, type UserTrait, userTraits } from './user-traits.ts';

const traitNames = (): Record<UserTrait, string> => ({
  suspended: i18n.t('Suspended'),
  'shadow-banned': i18n.t('Shadow-banned'),
  locked: i18n.t('Locked'),
  deactivated: i18n.t('Deactivated'),
  guest: i18n.t('Guest'),
  bot: i18n.t('Bot'),
  'no-bot': i18n.t('Not a bot'),
  bridged: i18n.t('Application service'),
  'no-email': i18n.t('No email'),
  'never-seen': i18n.t('Never seen'),
});

const dayMs = 24 * 60 * 60_000;
const daysAgo = (days: number) => dayOf(Date.now() - days * dayMs);

type Props = { segment: UserSegment; onChange: (changes: UserSegment) => void };

export function SegmentChips({ segment, onChange }: Props) {
  const { is = [], idp, inactive, from, to } = segment;
  const [isIdpOpen, setIdpOpen] = useState(false);
  const [added, setAdded] = useState<string>();
  const names = traitNames();
  const labels = {
    idp: i18n.t('Identity provider'),
    inactive: i18n.t('Inactive since'),
    from: i18n.t('Created from'),
    to: i18n.t('Created until'),
  };
  const setTraits = (next: readonly UserTrait[]) => onChange({ is: next.length > 0 ? next : undefined });
  const options = [
    ...userTraits.filter((trait) => !is.includes(trait)).map((id) => ({ id, label: names[id] })),
    ...(['idp', 'inactive', 'from', 'to'] as const)
      .filter((id) => segment[id] === undefined && !(id === 'idp' && isIdpOpen))
      .map((id) => ({ id, label: labels[id] })),
  ];
  function add(id: string) {
    setAdded(id);
    switch (id) {
      case 'idp':
        return setIdpOpen(true);
      case 'inactive':
        return onChange({ inactive: daysAgo(365) });
      case 'from':
        return onChange({ from: daysAgo(30) });
      case 'to':
        return onChange({ to: daysAgo(0) });
      default:
        return setTraits([...is, id as UserTrait]);
    }
  }
  const dayChip = (id: 'inactive' | 'from' | 'to', value: string | undefined) =>
    value !== undefined && (
      <FilterChip key={id} label={labels[id]} onRemove={() => onChange({ [id]: undefined })}>
        <DayField
          label={labels[id]}
          value={value}
          required
          autoFocus={added === id}
          onChange={(day) => onChange({ [id]: day })}
        />
      </FilterChip>
    );
  return (
    <>
      {is.map((trait) => (
        <FilterChip
          key={trait}
          label={names[trait]}
          onRemove={() => setTraits(is.filter((other) => other !== trait))}
        />
      ))}
      {(idp !== undefined || isIdpOpen) && (
        <FilterChip
          label={labels.idp}
          onRemove={() => {
            setIdpOpen(false);
            onChange({ idp: undefined });
          }}
        >
          <ProviderField
            label={labels.idp}
            value={idp}
            onChange={(next) => {
              setIdpOpen(next === undefined);
              onChange({ idp: next });
            }}
          />
        </FilterChip>
      )}
      {dayChip('inactive', inactive)}
      {dayChip('from', from)}
      {dayChip('to', to)}
      <AddFilter options={options} onAdd={add} />
    </>
  );
}

type ProviderProps = {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** Applied on Enter and on leaving: a scan of all users follows. */
function ProviderField({ label, value = '', onChange }: ProviderProps) {
  const [typed, setTyped] = useState(value);
  function apply() {
    const next = typed.trim();
    if (next !== value) onChange(next || undefined);
  }
  return (
    <TextInput
      size="xs"
      w={170}
      aria-label={label}
      placeholder={label}
      autoFocus={value === ''}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
      spellCheck={false}
    />
  );
}

/** Fields of a filter. */
import { i18n } from '@lingui/core';
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { dayOf } from '../../words/format.ts';
import classes from './FilterFields.module.css';

type ChoiceFieldProps<Value extends string> = {
  label: string;
  value: Value | undefined;
  /** The option for no choice. */
  none: string;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
};

/** Renders a filter with a few options, or none of them. */
export function ChoiceField<Value extends string>({
  label,
  value,
  none,
  choices,
  onChange,
}: ChoiceFieldProps<Value>) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      title={label}
      value={value ?? ''}
      data={[{ value: '', label: none }, ...choices]}
      onChange={(event) => onChange((event.currentTarget.value || undefined) as Value | undefined)}
    />
  );
}

type DayFieldProps = {
  label: string;
  /** `2026-03-01` */
  value: string | undefined;
  /** The last valid day, in the same form; it replaces later ones. */
  latest?: string;
  required?: boolean;
  autoFocus?: boolean;
  onChange: (value: string | undefined) => void;
};

/** Debounce, in milliseconds. Every digit makes another valid date. */
const pause = 800;

/** Renders a date field of a filter. */
export function DayField({
  label,
  value = '',
  latest: latestDay = '9999-12-30',
  required = false,
  autoFocus = false,
  onChange,
}: DayFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  function apply() {
    const day = typed > latestDay ? latestDay : typed;
    if (day === '' && required) return;
    setTyped(day);
    if (day !== value) onChange(day || undefined);
  }
  const applyLater = useEffectEvent(apply);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => applyLater(), pause);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <span className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        min="1970-01-02"
        max={latestDay}
        autoFocus={autoFocus}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => (typed === '' && required ? setTyped(value) : apply())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
          if (event.key === 'Escape') setTyped(value);
        }}
      />
    </span>
  );
}

const recentDays = [30, 90, 365];

type RecentDaysProps = {
  label: string;
  /** The option for no day; without one, a day is always chosen. */
  none?: string;
  /** The chosen day; an empty string if something else is chosen. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** Renders quick choices of a day, as a number of days ago. */
export function RecentDays({ label, none, value, onChange }: RecentDaysProps) {
  const [now] = useState(Date.now);
  const choices = recentDays.map((days) => ({
    value: dayOf(now - days * 24 * 60 * 60 * 1000),
    label: i18n.t('{days} days', { days }),
  }));
  const isOther = value !== undefined && !choices.some((choice) => choice.value === value);
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={isOther ? 'other' : (value ?? '')}
      onChange={(day) => onChange(day || undefined)}
      data={[...(none === undefined ? [] : [{ value: '', label: none }]), ...choices]}
    />
  );
}

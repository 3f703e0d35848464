import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import classes from './DayField.module.css';

type Props = {
  label: string;
  /** `2026-03-01` */
  value: string | undefined;
  /** The last day that makes sense, in the same form: a later one becomes this one. */
  latest?: string;
  /** Whether there has to be a day. */
  required?: boolean;
  onChange: (value: string | undefined) => void;
};

/** How long a person may pause between two digits, in milliseconds. */
const pause = 800;

/** A day of a filter: taken when it is finished, and not at each digit, which makes another day of it. */
export function DayField({
  label,
  value = '',
  latest: last = '9999-12-30',
  required = false,
  onChange,
}: Props) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  function apply() {
    const day = typed > last ? last : typed;
    if (day === '' && required) return;
    setTyped(day);
    if (day !== value) onChange(day || undefined);
  }
  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(), pause);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <span className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        min="1970-01-02"
        max={last}
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

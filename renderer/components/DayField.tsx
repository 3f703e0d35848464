import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import classes from './DayField.module.css';

type Props = {
  label: string;
  /** `2026-03-01` */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** How long a person may pause between two digits, in milliseconds. */
const pause = 800;

/** A day of a filter: taken when it is finished, and not at each digit, which makes another day of it. */
export function DayField({ label, value = '', onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed || undefined), pause);
    return () => clearTimeout(timer);
  }, [typed, value]);
  const apply = () => typed !== value && onChange(typed || undefined);
  return (
    <span className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        min="1970-01-02"
        max="9999-12-30"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
          if (event.key === 'Escape') setTyped(value);
        }}
      />
    </span>
  );
}

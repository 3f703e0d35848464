import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import classes from './Settings.module.css';

type Props<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  data: { value: Value; label: string }[];
};

/** Renders a setting with a few values. */
export function Choice<Value extends string>({ label, ...props }: Props<Value>) {
  const id = useId();
  return (
    <div className={classes.choice}>
      <span id={id}>{label}</span>
      <SegmentedControl aria-labelledby={id} w={260} {...props} />
    </div>
  );
}

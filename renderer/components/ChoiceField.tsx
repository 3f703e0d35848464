import { NativeSelect } from '@mantine/core';

type Props<Value extends string> = {
  label: string;
  value: Value | undefined;
  /** What is said where nothing is chosen. */
  none: string;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
};

/** One of a few in a filter, or none. */
export function ChoiceField<Value extends string>({ label, value, none, choices, onChange }: Props<Value>) {
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

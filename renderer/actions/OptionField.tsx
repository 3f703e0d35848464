import { i18n } from '@lingui/core';
import { NativeSelect } from '@mantine/core';
import type { Field } from './action.ts';

type Props = {
  field: Extract<Field, { kind: 'choice' }>;
  value: string;
  onChange: (value: string) => void;
};

/** By itself, since few actions have something to choose from. */
export function OptionField({ field, value, onChange }: Props) {
  return (
    <NativeSelect
      size="xs"
      label={i18n.t(field.label)}
      data={field.options.map((option) => ({ value: option.value, label: i18n.t(option.label) }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

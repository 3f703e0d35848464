import { i18n } from '@lingui/core';
import { NumberInput } from '@mantine/core';
import type { Field } from './action.ts';

type Props = {
  field: Extract<Field, { kind: 'number' }>;
  value: number;
  onChange: (value: number) => void;
};

/** By itself, since few actions ask for a number and what takes one is large. */
export default function NumberField({ field, value, onChange }: Props) {
  return (
    <NumberInput
      size="xs"
      label={i18n.t(field.label)}
      description={field.note && i18n.t(field.note)}
      allowDecimal={false}
      min={field.least}
      max={field.most}
      clampBehavior="strict"
      hideControls
      value={value}
      onChange={(next) => onChange(next === '' ? field.initial : Number(next))}
    />
  );
}

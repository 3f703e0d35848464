import { i18n } from '@lingui/core';
import { Checkbox, TextInput } from '@mantine/core';
import type { Field } from './action.ts';
import { LongText } from './LongText.tsx';
import { OptionField } from './OptionField.tsx';
import { PictureField } from './PictureField.tsx';
import { placeholders } from './placeholders.ts';
import { TemplateField } from './TemplateField.tsx';

type Props = {
  field: Field;
  value: string | number | boolean;
  onChange: (value: string | number | boolean) => void;
  /** What is wrong with the value; empty where nothing is. */
  fault?: string | undefined;
  /** A picture of this machine that was chosen for the field. */
  chosen?: File | undefined;
  onChoose?: (picture: File | undefined) => void;
};

/** What an action asks for beside the reason. */
export function FieldInput({ field, value, onChange, fault, chosen, onChoose = () => {} }: Props) {
  const label = i18n.t(field.label);
  const description = 'note' in field && field.note && i18n.t(field.note);
  const named = { label, description, error: fault || undefined };
  if (field.kind === 'choice') {
    return <OptionField field={field} value={String(value)} onChange={onChange} />;
  }
  if (field.kind === 'line' || field.kind === 'moment') {
    return (
      <TextInput
        size="xs"
        {...named}
        {...(field.kind === 'moment' && { type: 'datetime-local', max: '9999-12-31T23:59' })}
        required={field.required}
        data-autofocus={field.kind === 'line' || field.required || undefined}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
    );
  }
  if (field.kind === 'flag') {
    return (
      <Checkbox
        size="xs"
        label={label}
        description={description}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (field.kind === 'number') {
    return (
      <TextInput
        size="xs"
        {...named}
        inputMode="numeric"
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
      />
    );
  }
  if (field.kind === 'picture') {
    return (
      <PictureField
        label={label}
        note={i18n.t(field.note)}
        fault={fault}
        value={String(value)}
        onChange={onChange}
        chosen={chosen}
        onChoose={onChoose}
      />
    );
  }
  if (field.templates) {
    return (
      <TemplateField
        kind={field.templates}
        label={label}
        note={i18n.t('{places} are replaced by their values.', { places: placeholders.join(' ') })}
        value={String(value)}
        onChange={onChange}
        required={field.required}
      />
    );
  }
  return (
    <LongText
      {...named}
      minRows={2}
      maxRows={8}
      required={field.required}
      data-autofocus={field.required || undefined}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

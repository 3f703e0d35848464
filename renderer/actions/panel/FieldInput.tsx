import { i18n } from '@lingui/core';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { pictureType } from '../../../shared/media-policy.ts';
import { RemoteImage } from '../../components/event/RemoteImage.tsx';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Field } from '../action.ts';
import { placeholders } from '../items.ts';
import classes from './ActionPanel.module.css';
import { LongText, TemplateField } from './TemplateField.tsx';

type FieldInputProps = {
  field: Field;
  value: string | number | boolean;
  onChange: (value: string | number | boolean) => void;
  /** Error message; empty if valid. */
  fault?: string | undefined;
  /** An image file to upload. */
  chosen?: File | undefined;
  onChoose?: (picture: File | undefined) => void;
};

export function FieldInput({ field, value, onChange, fault, chosen, onChoose = () => {} }: FieldInputProps) {
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

type OptionFieldProps = {
  field: Extract<Field, { kind: 'choice' }>;
  value: string;
  onChange: (value: string) => void;
};

function OptionField({ field, value, onChange }: OptionFieldProps) {
  const server = useServer();
  const { options } = field;
  return (
    <NativeSelect
      size="xs"
      label={i18n.t(field.label)}
      data={
        typeof options === 'function'
          ? [...options(server)]
          : options.map(({ value, label }) => ({ value, label: i18n.t(label) }))
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type Props = {
  label: string;
  note: string;
  value: string;
  /** Error message for the URI. */
  fault: string | undefined;
  onChange: (uri: string) => void;
  /** An image file to upload, in place of the URI. */
  chosen: File | undefined;
  onChoose: (picture: File | undefined) => void;
};

/** An mxc URI, or an image that is uploaded on confirmation. */
function PictureField({ label, note, value, fault: misspelt, onChange, chosen, onChoose }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<Error>();

  async function look(file: File) {
    setFault(undefined);
    try {
      pictureType(new Uint8Array(await file.arrayBuffer()));
      onChoose(file);
    } catch (error) {
      setFault(error as Error);
    }
  }

  return (
    <>
      <TextInput
        size="xs"
        label={label}
        description={note}
        value={chosen?.name ?? value}
        readOnly={chosen !== undefined}
        error={fault ? failureSentence(fault) : !chosen && misspelt}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.choices}>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={i18n.t('Image to upload')}
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // The same file can be chosen again after a failure.
            currentTarget.value = '';
            if (file) void look(file);
          }}
        />
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconUpload size={13} stroke={1.7} aria-hidden />}
          onClick={() => chooser.current?.click()}
        >
          {i18n.t('Upload image…')}
        </Button>
        {(chosen || value !== '') && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              onChoose(undefined);
              onChange('');
            }}
          >
            {i18n.t('No image')}
          </Button>
        )}
      </div>
      {chosen ? (
        <Preview picture={chosen} name={label} />
      ) : (
        value.startsWith('mxc://') && <RemoteImage key={value} uri={value} name={label} preview />
      )}
    </>
  );
}

function Preview({ picture, name }: { picture: File; name: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address && <img className={classes.preview} src={address} alt={name} />;
}

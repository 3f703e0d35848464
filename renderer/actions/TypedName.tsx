import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import type { Wanted } from './typed-name.ts';

type Props = {
  wanted: Wanted;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** The second question: what can't be done by a key that was pressed too often. */
export function TypedName({ wanted, value, onChange, error }: Props) {
  return (
    <TextInput
      label={labelOf(wanted)}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function labelOf({ is, text, whole }: Wanted): string {
  if (is === 'own')
    return i18n.t('This affects your own account. Type {wanted} to confirm', { wanted: text });
  return is === 'name'
    ? i18n.t('Type {wanted} to confirm', { wanted: text })
    : i18n.t('Type {wanted} (the start of {whole}) to confirm', { wanted: text, whole });
}

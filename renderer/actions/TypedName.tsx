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
export default function TypedName({ wanted, value, onChange, error }: Props) {
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
  if (is === 'own') return i18n.t('Type your own user id to do this to yourself: {wanted}', { wanted: text });
  return is === 'name'
    ? i18n.t('Type {wanted} to go on', { wanted: text })
    : i18n.t('Type {wanted}, as {whole} begins, to go on', { wanted: text, whole });
}

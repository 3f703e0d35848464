import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';

type Props = {
  wanted: string;
  own: boolean;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** The second question: what can't be done by a key that was pressed too often. */
export function TypedName({ wanted, own, value, onChange, error }: Props) {
  return (
    <TextInput
      label={
        own
          ? i18n.t('Type your own user id to do this to yourself: {wanted}', { wanted })
          : i18n.t('Type {wanted} to go on', { wanted })
      }
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

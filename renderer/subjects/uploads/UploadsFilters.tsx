import { i18n } from '@lingui/core';
import { byteSize } from '../../components/byte-size.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { DayField } from '../../components/DayField.tsx';
import { startOfDay } from '../../components/day.ts';
import type { UploadsSearch } from './uploads-search.ts';

type Props = { address: UploadsSearch; onChange: (changes: Partial<UploadsSearch>) => void };

/** In bytes. */
const sizes = [100_000, 1_000_000, 10_000_000, 100_000_000];

/** Which of the uploads: by kind, state, size and age. */
export function UploadsFilters({ address, onChange }: Props) {
  const { kind, state, larger, from, until } = address;
  const offered = larger === undefined || sizes.includes(larger) ? sizes : [...sizes, larger];
  const day = (value: string | undefined) => (startOfDay(value) === undefined ? undefined : value);
  return (
    <>
      <ChoiceField
        label={i18n.t('Type')}
        value={kind}
        none={i18n.t('Any type')}
        choices={[
          { value: 'image', label: i18n.t('Images') },
          { value: 'video', label: i18n.t('Videos') },
          { value: 'audio', label: i18n.t('Audio') },
          { value: 'other', label: i18n.t('Other files') },
        ]}
        onChange={(value) => onChange({ kind: value })}
      />
      <ChoiceField
        label={i18n.t('Status')}
        value={state}
        none={i18n.t('Any status')}
        choices={[
          { value: 'quarantined', label: i18n.t('Quarantined') },
          { value: 'protected', label: i18n.t('Protected') },
          { value: 'unused', label: i18n.t('Never accessed') },
        ]}
        onChange={(value) => onChange({ state: value })}
      />
      <ChoiceField
        label={i18n.t('Size')}
        value={larger === undefined ? undefined : String(larger)}
        none={i18n.t('Any size')}
        choices={offered.map((bytes) => ({
          value: String(bytes),
          label: i18n.t('Over {size}', { size: byteSize(bytes) }),
        }))}
        onChange={(value) => onChange({ larger: value === undefined ? undefined : Number(value) })}
      />
      <DayField
        label={i18n.t('Uploaded from')}
        value={from}
        onChange={(value) => onChange({ from: day(value) })}
      />
      <DayField label={i18n.t('until')} value={until} onChange={(value) => onChange({ until: day(value) })} />
    </>
  );
}

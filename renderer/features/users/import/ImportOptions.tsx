import { i18n } from '@lingui/core';
import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core';
import classes from './Import.module.css';
import { type Assignment, fieldNames, type ImportField, importFields } from './import-columns.ts';
import type { Conflict } from './import-rows.ts';
import type { ImportState } from './import-store.ts';

type Props = {
  first: readonly string[];
  columns: number;
  hasHeader: boolean;
  assignment: Assignment;
  conflict: Conflict;
  /** Undefined if no user would get one. */
  generatesPasswords: boolean | undefined;
  onChange: (changes: Partial<ImportState>) => void;
};

const maxSampleLength = 24;

/** Renders the import's settings: header, columns, and the handling of existing users. */
export function ImportOptions({
  first,
  columns,
  hasHeader,
  assignment,
  conflict,
  generatesPasswords,
  onChange,
}: Props) {
  const names = fieldNames();
  // A field has one column: choosing it elsewhere moves it.
  const choose = (index: number, field: ImportField | undefined) =>
    onChange({
      assignment: Array.from({ length: columns }, (_, each) =>
        each === index ? field : assignment[each] === field ? undefined : assignment[each],
      ),
    });
  return (
    <div className={classes.options}>
      <div className={classes.option}>
        <span id="existing">{i18n.t('Existing users')}</span>
        <SegmentedControl
          aria-labelledby="existing"
          value={conflict}
          onChange={(value) => onChange({ conflict: value as Conflict })}
          data={[
            { value: 'skip', label: i18n.t('Skip') },
            { value: 'update', label: i18n.t('Update') },
            { value: 'stop', label: i18n.t('Stop') },
          ]}
        />
        <Checkbox
          size="xs"
          label={i18n.t('First row is a header')}
          checked={hasHeader}
          onChange={(event) => onChange({ hasHeader: event.currentTarget.checked, assignment: undefined })}
        />
        {generatesPasswords !== undefined && (
          <Checkbox
            size="xs"
            label={i18n.t('Generate missing passwords')}
            checked={generatesPasswords}
            onChange={(event) => onChange({ generatesPasswords: event.currentTarget.checked })}
          />
        )}
      </div>
      <fieldset className={classes.columns}>
        <legend>{i18n.t('Columns')}</legend>
        {Array.from({ length: columns }, (_, index) => {
          const sample = (first[index] ?? '').trim();
          const label =
            sample === '' || (!hasHeader && assignment[index] === 'password')
              ? i18n.t('Column {index}', { index: index + 1 })
              : sample.slice(0, maxSampleLength);
          return (
            <NativeSelect
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
              key={index}
              size="xs"
              w={140}
              label={<bdi>{label}</bdi>}
              value={assignment[index] ?? ''}
              onChange={(event) =>
                choose(index, (event.currentTarget.value || undefined) as ImportField | undefined)
              }
              data={[
                { value: '', label: i18n.t('Ignore') },
                ...importFields.map((field) => ({ value: field, label: names[field] })),
              ]}
            />
          );
        })}
      </fieldset>
    </div>
  );
}

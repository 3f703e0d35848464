import { i18n } from '@lingui/core';
import { Combobox, Skeleton, TextInput, UnstyledButton, useCombobox } from '@mantine/core';
import {
  type ChangeEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import classes from './TemplateField.module.css';
import { type TemplateKind, templatesOf } from './templates.ts';

const LongText = lazy(() => import('./LongText.tsx'));
const TemplateEditor = lazy(() => import('./TemplateEditor.tsx'));

type Props = {
  kind: TemplateKind;
  label: string;
  note?: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
};

/** A field for words that one writes often: `/` opens the templates, which are the person's own to change. */
export function TemplateField({ kind, label, note, value, onChange, required }: Props) {
  const store = templatesOf(kind);
  useSyncExternalStore(store.subscribe, store.snapshot);
  const [editing, setEditing] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const templates = store.listed();
  const long = kind === 'notice';

  const props = {
    ref: field,
    name: kind,
    // The panel's focus begins where one writes.
    ...((required || kind === 'reason') && { 'data-autofocus': true }),
    label,
    value,
    required,
    withAsterisk: false,
    description: note,
    placeholder: i18n.t('/ for a template'),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
    onBlur: () => combobox.closeDropdown(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === '/' && value === '') {
        event.preventDefault();
        combobox.openDropdown();
        combobox.selectFirstOption();
      } else if (event.key === 'Escape' && combobox.dropdownOpened) {
        // Only the list closes, and what it stands in stays.
        event.stopPropagation();
        combobox.closeDropdown();
      } else if (event.key.length === 1) {
        combobox.closeDropdown();
      }
    },
  };

  return (
    <div>
      <Combobox
        store={combobox}
        withinPortal={false}
        position="bottom-start"
        onOptionSubmit={(index) => {
          onChange(templates[Number(index)] ?? '');
          combobox.closeDropdown();
        }}
      >
        <Suspense fallback={<Skeleton height={120} />}>
          <Combobox.Target withKeyboardNavigation={combobox.dropdownOpened}>
            {long ? <LongText {...props} minRows={4} maxRows={10} /> : <TextInput {...props} />}
          </Combobox.Target>
        </Suspense>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={i18n.t('Templates')} mah={220} style={{ overflowY: 'auto' }}>
            {templates.map((template, index) => (
              <Combobox.Option key={template} value={String(index)}>
                {template}
              </Combobox.Option>
            ))}
            {templates.length === 0 && <Combobox.Empty>{i18n.t('There are no templates')}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {editing ? (
        <Suspense>
          <TemplateEditor
            templates={templates}
            onDone={(next) => {
              store.write(next);
              setEditing(false);
              field.current?.focus();
            }}
          />
        </Suspense>
      ) : (
        <UnstyledButton className={classes.edit} onClick={() => setEditing(true)}>
          {i18n.t('Edit templates')}
        </UnstyledButton>
      )}
    </div>
  );
}

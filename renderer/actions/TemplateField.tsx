import { i18n } from '@lingui/core';
import { Combobox, TextInput, UnstyledButton, useCombobox } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react';
import { LongText } from './LongText.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import classes from './TemplateField.module.css';
import { type TemplateKind, templatesOf } from './templates.ts';

type Props = {
  kind: TemplateKind;
  label: string;
  note?: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
};

/**
 * A field for words that one writes often: `/` opens the templates, which are the person's own to change, and what is
 * written after it leaves those that have it. While one is chosen no key does more than that.
 */
export function TemplateField({ kind, label, note, value, onChange, required }: Props) {
  const store = templatesOf(kind);
  useSyncExternalStore(store.subscribe, store.snapshot);
  const [editing, setEditing] = useState(false);
  const [choosing, setChoosing] = useState(false);
  /** Which of those that are left. */
  const [at, setAt] = useState(0);
  const combobox = useCombobox({ opened: choosing });
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  /** The key that is down, or was last, took one. */
  const took = useRef(false);
  const id = useId();
  const templates = store.listed();
  const left = choosing ? templatesLike(templates, value.slice(opens.length)) : [];
  const long = kind === 'notice';

  function take(template: string | undefined) {
    if (template === undefined) return;
    onChange(template);
    setChoosing(false);
  }

  function write({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const written = currentTarget.value;
    onChange(written);
    setAt(0);
    // A slash that has been left by Escape is one.
    if (choosing ? !written.startsWith(opens) : written === opens && !value.startsWith(opens))
      setChoosing(!choosing);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    // Who still holds what took one agrees to nothing by it.
    if (!event.repeat) took.current = false;
    else if (took.current) event.preventDefault();
    if (!choosing) return;
    const steps = { ArrowDown: 1, ArrowUp: left.length - 1 }[event.key];
    if (steps !== undefined) setAt((at + steps) % Math.max(1, left.length));
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
      took.current = true;
      take(left[at]);
    } else if (event.key === 'Escape') {
      // Only the list closes, and what it stands in stays.
      event.stopPropagation();
      setChoosing(false);
    } else return;
    event.preventDefault();
  }

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
    placeholder: i18n.t('/ for templates'),
    onChange: write,
    onBlur: () => setChoosing(false),
    onKeyDown,
  };

  return (
    <div>
      <Combobox store={combobox} withinPortal={false} position="bottom-start" onOptionSubmit={take}>
        <Combobox.Target
          withKeyboardNavigation={false}
          aria-activedescendant={left[at] === undefined ? undefined : `${id}${at}`}
        >
          {long ? <LongText {...props} minRows={4} maxRows={10} /> : <TextInput {...props} />}
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={i18n.t('Templates')} mah={220} style={{ overflowY: 'auto' }}>
            {left.map((template, index) => (
              <Combobox.Option
                key={template}
                id={`${id}${index}`}
                value={template}
                selected={index === at}
                aria-selected={index === at}
                ref={index === at ? intoView : undefined}
              >
                {template}
              </Combobox.Option>
            ))}
            {choosing && left.length === 0 && (
              <Combobox.Empty role="status">
                {templates.length === 0 ? i18n.t('No templates') : i18n.t('No matching templates')}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {editing ? (
        <TemplateEditor
          templates={templates}
          onDone={(next) => {
            store.write(next);
            setEditing(false);
            field.current?.focus();
          }}
        />
      ) : (
        <UnstyledButton className={classes.edit} onClick={() => setEditing(true)}>
          {i18n.t('Edit templates')}
        </UnstyledButton>
      )}
    </div>
  );
}

/** What a choice among templates begins with. */
const opens = '/';

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });

/** Those that have these words, whose beginning it is first. */
function templatesLike(templates: readonly string[], words: string): string[] {
  const sought = words.trim().toLocaleLowerCase();
  const has = templates.filter((template) => template.toLocaleLowerCase().includes(sought));
  const begins = (template: string) => template.toLocaleLowerCase().startsWith(sought);
  return [...has.filter(begins), ...has.filter((template) => !begins(template))];
}

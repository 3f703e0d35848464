import { i18n } from '@lingui/core';
import {
  ActionIcon,
  Button,
  Combobox,
  Textarea,
  type TextareaProps,
  TextInput,
  UnstyledButton,
  useCombobox,
} from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  type ChangeEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Type } from 'typebox';
import { useConsole } from '../../console-context.ts';
import type { DeviceStorage } from '../../persisted.ts';
import { useStoreValue } from '../../subscribers.ts';
import classes from './TemplateField.module.css';

type TemplateKind = 'reason' | 'notice';

const own = (deviceStorage: DeviceStorage, kind: TemplateKind) =>
  deviceStorage.open(
    `gatehouse.templates.${kind}`,
    Type.Union([Type.Null(), Type.Array(Type.String())]),
    null,
  );

/** Until the user edits them. */
const defaults: Record<TemplateKind, () => string[]> = {
  reason: () => [
    i18n.t('Spam'),
    i18n.t('Harassment or hate'),
    i18n.t('Illegal content'),
    i18n.t('Impersonation'),
    i18n.t('Disruptive behavior'),
  ],
  notice: () => [
    i18n.t('Hello {user}, one of your messages was reported: {reason}. Please read the rules of {server}.', {
      user: '{user}',
      reason: '{reason}',
      server: '{server}',
    }),
    i18n.t('Hello {user}, your account on {server} is suspended: {reason}. Contact {moderator} about it.', {
      user: '{user}',
      reason: '{reason}',
      server: '{server}',
      moderator: '{moderator}',
    }),
  ],
};

const templatesOf = (values: DeviceStorage, kind: TemplateKind) => {
  const kept = own(values, kind);
  return {
    subscribe: kept.subscribe,
    /** Null for the defaults. */
    snapshot: kept.read,
    listed: () => kept.read() ?? defaults[kind](),
    write: (templates: readonly string[]) =>
      kept.write(templates.map((text) => text.trim()).filter((text) => text !== '')),
  };
};

type LongTextProps = TextareaProps & {
  ref?: Ref<HTMLTextAreaElement>;
  'data-autofocus'?: boolean | undefined;
};

/** A text area that grows with its text. */
export function LongText({ ref, ...props }: LongTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const mergedRef = useMergedRef(field, ref);
  const isFirst = props['data-autofocus'] === true;
  useEffect(() => {
    // Loaded on demand, when the user may already be typing in another field.
    if (isFirst && !hasWords(document.activeElement)) field.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return <Textarea ref={mergedRef} {...props} autosize />;
}

const hasWords = (element: Element | null) =>
  element instanceof HTMLInputElement && element.type === 'text' && element.value !== '';

type TemplateEditorProps = { templates: readonly string[]; onDone: (templates: string[]) => void };

/** Edits templates. Empty ones are dropped. */
function TemplateEditor({ templates, onDone }: TemplateEditorProps) {
  const [rows, setRows] = useState(() => templates.map((text, id) => ({ id, text })));
  // The button that opened it was removed together with the focus.
  const editor = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => editor.current?.querySelector<HTMLElement>('textarea, button')?.focus(), []);
  return (
    <fieldset ref={editor} className={classes.editor}>
      <legend className={classes.legend}>{i18n.t('Templates')}</legend>
      {rows.map(({ id, text }, index) => (
        <div key={id} className={classes.row}>
          <Textarea
            className={classes.text}
            aria-label={i18n.t('Template {number}', { number: index + 1 })}
            autosize
            maxRows={4}
            value={text}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setRows(rows.map((row) => (row.id === id ? { id, text: value } : row)));
            }}
          />
          <ActionIcon
            aria-label={i18n.t('Remove template {number}', { number: index + 1 })}
            onClick={() => setRows(rows.filter((row) => row.id !== id))}
          >
            <IconTrash size={14} stroke={1.7} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<IconPlus size={13} />}
          onClick={() => setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, text: '' }])}
        >
          {i18n.t('Add template')}
        </Button>
        <Button variant="light" onClick={() => onDone(rows.map(({ text }) => text))}>
          {i18n.t('Save templates')}
        </Button>
      </div>
    </fieldset>
  );
}

type Props = {
  kind: TemplateKind;
  label: string;
  note?: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
};

/** A text field with editable templates. `/` opens them, and text after it filters them. */
export function TemplateField({ kind, label, note, value, onChange, required }: Props) {
  const store = templatesOf(useConsole().deviceStorage, kind);
  useStoreValue(store, store.snapshot);
  const [editing, setEditing] = useState(false);
  const [choosing, setChoosing] = useState(false);
  /** Index among the matching templates. */
  const [at, setAt] = useState(0);
  const combobox = useCombobox({ opened: choosing });
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  /** The last key press chose a template. */
  const didChoose = useRef(false);
  const id = useId();
  const templates = store.listed();
  const left = choosing ? matchingTemplates(templates, value.slice(trigger.length)) : [];
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
    // After Escape, a slash is ordinary text.
    if (choosing ? !written.startsWith(trigger) : written === trigger && !value.startsWith(trigger))
      setChoosing(!choosing);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    // A held Enter that chose a template must not submit the form.
    if (!event.repeat) didChoose.current = false;
    else if (didChoose.current) event.preventDefault();
    if (!choosing) return;
    const steps = { ArrowDown: 1, ArrowUp: left.length - 1 }[event.key];
    if (steps !== undefined) setAt((at + steps) % Math.max(1, left.length));
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
      didChoose.current = true;
      take(left[at]);
    } else if (event.key === 'Escape') {
      // Closes only the list, not the panel.
      event.stopPropagation();
      setChoosing(false);
    } else return;
    event.preventDefault();
  }

  const props = {
    ref: field,
    name: kind,
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

const trigger = '/';

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });

/** Returns templates that contain the words; those that begin with them first. */
function matchingTemplates(templates: readonly string[], words: string): string[] {
  const sought = words.trim().toLocaleLowerCase();
  const has = templates.filter((template) => template.toLocaleLowerCase().includes(sought));
  const begins = (template: string) => template.toLocaleLowerCase().startsWith(sought);
  return [...has.filter(begins), ...has.filter((template) => !begins(template))];
}

import { i18n } from '@lingui/core';
import { Combobox, Textarea, useCombobox } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { maxNoteLength, type Subject } from '../../shared/team/entries.ts';
import { mentionBefore } from '../../shared/team/mentions.ts';
import { SubmitButton, submitKeys } from '../components/ConfirmForm.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { useServer } from '../console-context.ts';
import { noteDrafts } from './note-drafts.ts';
import classes from './Timeline.module.css';
import { useColleagues } from './use-colleagues.ts';
import { useTeam } from './use-team.ts';

/** Others are found by typing more. */
const maxSuggestions = 8;

type Props = { subject: Subject; about: readonly Subject[] };

/** Adds notes. `@` suggests colleagues. */
export function NoteField({ subject, about }: Props) {
  const team = useTeam();
  const drafts = noteDrafts(useServer());
  const [text, setText] = useState(drafts.of(subject));
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const colleagues = useColleagues().map((userId) => userId.slice(0, userId.indexOf(':')));
  /** What was typed after `@`. */
  const [sought, setSought] = useState<string>();
  const [at, setAt] = useState(0);
  const [caret, setCaret] = useState<number>();
  const isFound = (name: string) =>
    name
      .slice(1)
      .toLowerCase()
      .startsWith(sought?.toLowerCase() ?? '');
  const found = sought === undefined ? [] : colleagues.filter(isFound).slice(0, maxSuggestions);
  const combobox = useCombobox({ opened: found.length > 0 });

  useLayoutEffect(() => {
    if (caret !== undefined) field.current?.setSelectionRange(caret, caret);
  }, [caret]);

  function type(next: string, end = next.length) {
    setText(next);
    drafts.keep(subject, next);
    setSought(mentionBefore(next.slice(0, end)));
    setAt(0);
    setCaret(undefined);
  }
  function mention(name: string) {
    const end = field.current?.selectionStart ?? text.length;
    const before = `${text.slice(0, end - (sought?.length ?? 0) - 1)}${name} `;
    type(`${before}${text.slice(end)}`);
    setSought(undefined);
    setCaret(before.length);
  }
  function add(event: FormEvent) {
    event.preventDefault();
    const note = text.trim();
    if (!note) return;
    team.note(subject, note, { ...(about.length > 0 && { about: [...about] }) });
    type('');
    // The next key is a shortcut again.
    field.current?.blur();
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    const name = found[at];
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    if (name === undefined) {
      if (key === 'Escape') field.current?.blur();
      return;
    }
    const steps = { ArrowDown: 1, ArrowUp: found.length - 1 }[key];
    if (steps !== undefined) setAt((at + steps) % found.length);
    else if (key === 'Enter' || (key === 'Tab' && !event.shiftKey)) mention(name);
    else if (key === 'Escape') setSought(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <form className={classes.note} onSubmit={add} onKeyDown={submitKeys(true)}>
      <Combobox store={combobox} withinPortal={false} position="bottom-start" onOptionSubmit={mention}>
        <Combobox.Target
          withKeyboardNavigation={false}
          aria-activedescendant={found[at] === undefined ? undefined : `${id}${at}`}
        >
          <Textarea
            aria-label={i18n.t('Note')}
            placeholder={i18n.t('Add a note…')}
            rows={1}
            data-note-field
            ref={field}
            classNames={{ input: classes.field }}
            maxLength={maxNoteLength}
            value={text}
            onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.selectionStart)}
            onBlur={() => setSought(undefined)}
            onKeyDown={onKeyDown}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={i18n.t('Mention')}>
            {found.map((name, index) => (
              <Combobox.Option
                key={name}
                id={`${id}${index}`}
                value={name}
                selected={index === at}
                aria-selected={index === at}
              >
                <HazardText text={name} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {text.trim() && <SubmitButton multiline>{i18n.t('Add note')}</SubmitButton>}
    </form>
  );
}

import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import { idIn } from '../pasted-id.ts';
import classes from './ListScreen.module.css';

type Props = {
  label: string;
  value: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string | undefined) => void;
  /** Enter, where what was typed is applied already. */
  onEnter?: () => void;
};

/** How long a person may pause between two letters, in milliseconds. */
const pause = 250;

/** Searches on the server while one types, and not for each letter. Escape leaves what was typed unapplied. */
export function SearchField({ label, value = '', inputRef, onChange, onEnter }: Props) {
  const [typed, setTyped] = useState(value);
  // What was applied from here may be there only after more was typed: that stays.
  const applied = useRef(value);
  useEffect(() => {
    if (value !== applied.current) setTyped(value);
    applied.current = value;
  }, [value]);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = (search) => {
      applied.current = search ?? '';
      onChange(search);
    };
  });
  const router = useRouter();
  const { commands } = useConsole();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const text = typed.trim();
    if (text === value) return;
    const here = router.latestLocation.pathname;
    waiting.current = setTimeout(() => {
      // Who has gone on meanwhile, to a row, isn't called back to the list.
      if (router.latestLocation.pathname === here) latest.current(text || undefined);
    }, pause);
    return () => clearTimeout(waiting.current);
  }, [typed, value, router]);
  return (
    <TextInput
      ref={inputRef}
      type="search"
      className={classes.search}
      wrapperProps={{ 'data-words': label }}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={13} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(idIn(event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          if (typed.trim() === value) onEnter?.();
          else latest.current(typed.trim() || undefined);
        }
        if (event.key === 'ArrowDown') {
          event.preventDefault();
          commands
            .all()
            .find(({ id }) => id === 'first row')
            ?.run();
        }
        if (event.key !== 'Escape') return;
        event.preventDefault();
        clearTimeout(waiting.current);
        setTyped(value);
        event.currentTarget.blur();
      }}
      spellCheck={false}
    />
  );
}

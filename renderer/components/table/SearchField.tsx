import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import { parsePastedId } from '../pasted-id.ts';
import classes from './ListScreen.module.css';

type Props = {
  label: string;
  value: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string | undefined) => void;
  /** Called on Enter if the text is applied already. */
  onEnter?: () => void;
};

/** Debounce, in milliseconds. */
const debounceMs = 250;

/** Searches while the user types, debounced. Escape discards unapplied text. */
export function SearchField({ label, value = '', inputRef, onChange, onEnter }: Props) {
  const [typed, setTyped] = useState(value);
  // An applied value may arrive after further typing, which must stay.
  const applied = useRef(value);
  useEffect(() => {
    if (value !== applied.current) setTyped(value);
    applied.current = value;
  }, [value]);
  function apply(search: string | undefined) {
    applied.current = search ?? '';
    onChange(search);
  }
  const applyLater = useEffectEvent(apply);
  const router = useRouter();
  const { commands } = useConsole();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const text = typed.trim();
    if (text === value) return;
    const pathname = router.latestLocation.pathname;
    timer.current = setTimeout(() => {
      // Don't navigate back if the user has opened a row.
      if (router.latestLocation.pathname === pathname) applyLater(text || undefined);
    }, debounceMs);
    return () => clearTimeout(timer.current);
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
      onChange={(event) => setTyped(parsePastedId(event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          if (typed.trim() === value) onEnter?.();
          else apply(typed.trim() || undefined);
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
        clearTimeout(timer.current);
        setTyped(value);
        event.currentTarget.blur();
      }}
      spellCheck={false}
    />
  );
}

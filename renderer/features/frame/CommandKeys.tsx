import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import { keyLabel } from '../../components/key-label.ts';
import classes from './CommandKeys.module.css';
import { useCommandKeys } from './command-keys.ts';

/** What comes sooner needs no words, in milliseconds. */
const patience = 300;

/** Runs commands by their keys, and says which of these wait. */
export function CommandKeys() {
  const keys = useCommandKeys();
  const wait = keys.length > 0;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!wait) return;
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, [wait]);

  const shown = { keys: keys.map(nameOf).join(' '), count: keys.length };
  return (
    <div className={classes.line} role="status">
      {wait && isLong && i18n.t('{keys} pending until the report loads. Esc cancels.', shown)}
    </div>
  );
}

/** As it stands on a keyboard. */
const nameOf = (key: string) => (/^[a-z]$/.test(key) ? key.toUpperCase() : keyLabel(key));

import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import classes from './LoadingNote.module.css';

const patience = 2500;

type Props = {
  text: string;
  /** What follows as soon as it is there, for whoever asked for it meanwhile: it is said at once. */
  awaited?: string | undefined;
};

/** Says that something is on its way, and, when that takes long, that the server is what is slow. */
export function LoadingNote({ text, awaited }: Props) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output
      className={classes.note}
      data-slow={slow || undefined}
      data-awaited={awaited !== undefined || undefined}
    >
      {awaited ?? (slow ? i18n.t('Server is slow. Still loading…') : text)}
    </output>
  );
}

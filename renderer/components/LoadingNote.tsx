import { useEffect, useState } from 'react';
import classes from './LoadingNote.module.css';

const patience = 2500;

/** Says that something is on its way, and, when that takes long, that the server is what is slow. */
export function LoadingNote({ what }: { what: string }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output className={classes.note} data-slow={slow || undefined}>
      {slow ? `The server takes long to answer. Still waiting for ${what}…` : `Loading ${what}…`}
    </output>
  );
}

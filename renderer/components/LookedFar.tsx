import { i18n } from '@lingui/core';
import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureSentence } from '../transport/refusal.ts';
import classes from './LookedFar.module.css';

type Props = {
  /** How far was looked, in a sentence. */
  said: string;
  /** Why it went no further. */
  error: Error | null;
  goesOn: boolean;
  /** What the server said where it is asked again in a while. */
  waitsFor?: Error | null | undefined;
  /** How much of how much, where that is worth a picture. */
  progress?: { value: number; max: number } | undefined;
  isComplete: boolean;
  onStop: () => void;
  onFurther: () => void;
  /** More on it. */
  children?: ReactNode;
};

/** Above what is found by looking through a list here: how far that has come, and the way to look further. */
export function LookedFar({ said, error, goesOn, isComplete, onStop, onFurther, children, ...props }: Props) {
  const { waitsFor, progress } = props;
  return (
    <div className={classes.bar}>
      <output className={classes.said} aria-label={i18n.t('Scan progress')}>
        {said}
      </output>
      {waitsFor && (
        <span className={classes.waits} title={failureSentence(waitsFor)}>
          {i18n.t('Server busy. Retrying shortly…')}
        </span>
      )}
      {error ? (
        <span role="alert" className={classes.failed}>
          {failureSentence(error)}
        </span>
      ) : (
        goesOn &&
        (progress ? (
          <progress className={classes.progress} {...progress} aria-label={i18n.t('Scan progress')} />
        ) : (
          <Loader size={12} role="img" aria-label={i18n.t('Scanning…')} />
        ))
      )}
      {!isComplete &&
        (goesOn ? (
          <Button variant="subtle" size="compact-xs" onClick={onStop}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          <Button variant="subtle" size="compact-xs" onClick={onFurther}>
            {error ? i18n.t('Retry') : i18n.t('Scan more')}
          </Button>
        ))}
      {children}
    </div>
  );
}

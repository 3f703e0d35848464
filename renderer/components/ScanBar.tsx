import { i18n } from '@lingui/core';
import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureSentence } from '../transport/refusal.ts';
import classes from './ScanBar.module.css';

type Props = {
  /** Progress of the scan, in a sentence. */
  summary: string;
  /** Why the scan stopped. */
  error: Error | null;
  isRunning: boolean;
  /** The error after which the scan retries automatically. */
  retryReason?: Error | null | undefined;
  /** Shows a progress bar instead of a spinner. */
  progress?: { value: number; max: number } | undefined;
  isComplete: boolean;
  onStop: () => void;
  onContinue: () => void;
  children?: ReactNode;
};

/** Renders the progress of a client-side scan, with buttons to stop or continue it. */
export function ScanBar({
  summary,
  error,
  isRunning,
  isComplete,
  onStop,
  onContinue,
  children,
  ...props
}: Props) {
  const { retryReason, progress } = props;
  return (
    <div className={classes.bar}>
      <output className={classes.said} aria-label={i18n.t('Scan progress')}>
        {summary}
      </output>
      {retryReason && (
        <span className={classes.waits} title={failureSentence(retryReason)}>
          {i18n.t('Server busy. Retrying shortly…')}
        </span>
      )}
      {error ? (
        <span role="alert" className={classes.failed}>
          {failureSentence(error)}
        </span>
      ) : (
        isRunning &&
        (progress ? (
          <progress className={classes.progress} {...progress} aria-label={i18n.t('Scan progress')} />
        ) : (
          <Loader size={12} role="img" aria-label={i18n.t('Scanning…')} />
        ))
      )}
      {!isComplete &&
        (isRunning ? (
          <Button variant="subtle" size="compact-xs" onClick={onStop}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          <Button variant="subtle" size="compact-xs" onClick={onContinue}>
            {error ? i18n.t('Retry') : i18n.t('Scan more')}
          </Button>
        ))}
      {children}
    </div>
  );
}

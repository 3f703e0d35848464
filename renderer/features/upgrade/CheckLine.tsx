import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import classes from './CheckLine.module.css';

export type CheckTone = 'good' | 'waiting' | 'odd' | 'failed' | 'hint';

type Props = {
  tone: CheckTone;
  text: ReactNode;
  checkedAt?: number | undefined;
  action?: { label: string; run: () => void } | undefined;
};

/** What the last look at the server says about the plan. */
export function CheckLine({ tone, text, checkedAt, action }: Props) {
  const content = (
    <>
      <span className={classes.text}>{text}</span>
      {checkedAt !== undefined && (
        <span className={classes.when}>
          checked <RelativeTime timestamp={checkedAt} />
        </span>
      )}
    </>
  );
  return (
    <div className={classes.line} data-tone={tone}>
      {tone === 'failed' ? (
        <div role="alert" className={classes.said}>
          {content}
        </div>
      ) : (
        <output className={classes.said} aria-label="Check">
          {content}
        </output>
      )}
      {action && (
        <Button variant="subtle" size="compact-xs" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

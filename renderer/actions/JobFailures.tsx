import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { failureSentence } from '../transport/failure-sentence.ts';
import { number } from '../words/format.ts';
import { say } from './action-words.ts';
import classes from './JobRows.module.css';
import { asError, type Job, type JobItem } from './jobs/job.ts';
import { actionOf } from './jobs/steps-of-job.ts';
import { wholeNameOf } from './name-in-sentence.ts';

const mostFailures = 200;

type Props = {
  job: Job;
  failures: readonly JobItem[];
  /** Tries one of them again; undefined while others are on their way. */
  onRetry: ((entry: JobItem) => void) | undefined;
};

/** What could not be done, and why. */
export function JobFailures({ job, failures, onRetry }: Props) {
  return (
    <ul className={classes.failures}>
      {failures.slice(0, mostFailures).flatMap((entry) => {
        const { item, step, failure, left, transaction } = entry;
        const action = step === undefined ? undefined : actionOf(job, entry);
        return [
          ...(failure
            ? [
                <li key={transaction}>
                  <code>{wholeNameOf(item)}</code> {action && `${say(action, 'label', [item])}: `}
                  {failureSentence(asError(failure))}{' '}
                  {onRetry && (
                    <Button variant="subtle" size="compact-xs" onClick={() => onRetry(entry)}>
                      {i18n.t('Retry {name}', { name: wholeNameOf(item) })}
                    </Button>
                  )}
                </li>,
              ]
            : []),
          ...Object.entries(left ?? {})
            .slice(0, mostFailures)
            .map(([what, why]) => (
              <li key={`${transaction} ${what}`}>
                <code>{what}</code> {why}
              </li>
            )),
          ...(Object.keys(left ?? {}).length > mostFailures
            ? [
                <li key={`${transaction} more`}>
                  {moreFailures(Object.keys(left ?? {}).length - mostFailures)}
                </li>,
              ]
            : []),
        ];
      })}
      {failures.length > mostFailures && <li>{moreFailures(failures.length - mostFailures)}</li>}
    </ul>
  );
}

const moreFailures = (count: number) => i18n.t('and {count} more (see export)', { count: number(count) });

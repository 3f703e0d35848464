import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { failureSentence } from '../transport/failure-sentence.ts';
import { number } from '../words/format.ts';
import classes from './JobRows.module.css';
import { asError, type JobItem } from './jobs/job.ts';
import { wholeNameOf } from './name-in-sentence.ts';
import { keyOf } from './subject.ts';

const mostFailures = 200;

type Props = {
  failures: readonly JobItem[];
  /** Tries one of them again; undefined while others are on their way. */
  onRetry: ((entry: JobItem) => void) | undefined;
};

/** What could not be done, and why. */
export function JobFailures({ failures, onRetry }: Props) {
  return (
    <ul className={classes.failures}>
      {failures.slice(0, mostFailures).flatMap((entry) => {
        const { item, failure, left } = entry;
        return [
          ...(failure
            ? [
                <li key={keyOf(item)}>
                  <code>{wholeNameOf(item)}</code> {failureSentence(asError(failure))}{' '}
                  {onRetry && (
                    <Button variant="subtle" size="compact-xs" onClick={() => onRetry(entry)}>
                      {i18n.t('Try {name} again', { name: wholeNameOf(item) })}
                    </Button>
                  )}
                </li>,
              ]
            : []),
          ...Object.entries(left ?? {})
            .slice(0, mostFailures)
            .map(([what, why]) => (
              <li key={`${keyOf(item)} ${what}`}>
                <code>{what}</code> {why}
              </li>
            )),
          ...(Object.keys(left ?? {}).length > mostFailures
            ? [
                <li key={`${keyOf(item)} more`}>
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

const moreFailures = (count: number) =>
  i18n.t('and {count} more: the export has them all', { count: number(count) });

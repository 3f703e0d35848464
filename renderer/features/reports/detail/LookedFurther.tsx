import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import classes from './LookedFurther.module.css';

type Props = {
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** What is not known, with why. */
  failed: (why: string) => string;
  /** Among how many events was looked. */
  partly: string;
  further: string;
};

/** Below what was found among the events after one: that it may not be all, and the way to the rest. */
export function LookedFurther({ query, failed, partly, further }: Props) {
  return (
    <>
      {query.error && (
        <span className={classes.note} role="alert">
          {failed(failureSentence(query.error))}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => query.refetch()}>
            {i18n.t('Retry')}
          </Button>
        </span>
      )}
      {query.hasNextPage && (
        <span className={classes.note}>
          {partly}{' '}
          <Button
            variant="subtle"
            size="compact-xs"
            loading={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {further}
          </Button>
        </span>
      )}
    </>
  );
}

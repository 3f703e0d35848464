import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { ScanBar } from '../../components/ScanBar.tsx';
import { number } from '../../words/format.ts';
import classes from './LookedThrough.module.css';
import type { ReportSearch } from './report-search.ts';
import { isByTime, isNarrowed } from './report-search.ts';
import type { ReportListState } from './rows/use-report-list.ts';

type Props = { search: ReportSearch; list: ReportListState };

/** Over how much what is shown was found or put in order, and the way to look further. */
export function LookedThrough({ search, list: { walk, sieved, messages, standing } }: Props) {
  const { looked, total, isComplete, query } = walk;
  // What the marks know is there: there is nothing to look for.
  const { queue, text, reason, since, until, order, group } = search;
  const isOnlyDays = Boolean(since || until) && !queue && reason === undefined && !order && !group;
  const isAll = (walk.isOneByOne || isOnlyDays) && isComplete && !text;
  if (total === undefined || isAll) return null;
  const numbers = { looked: number(looked), total: number(total) };
  const isOrdered = !group && !isByTime({ order });
  return (
    <ScanBar
      summary={
        walk.isOneByOne
          ? i18n.t('{looked} of {total} reports loaded', numbers)
          : isComplete
            ? i18n.t('All {total} reports scanned', numbers)
            : isOrdered && !search.queue && !isNarrowed(search)
              ? i18n.t('Sorted the first {looked} of {total} reports', numbers)
              : i18n.t('{looked} of {total} reports scanned', numbers)
      }
      retryReason={walk.waitsFor}
      error={query.error}
      isRunning={sieved.goesOn}
      progress={group && { value: looked, max: total }}
      isComplete={isComplete}
      onStop={sieved.stop}
      onContinue={sieved.lookFurther}
    >
      {standing.putInOrder && (
        <Button variant="subtle" size="compact-xs" onClick={standing.putInOrder}>
          {i18n.t('Sort reports')}
        </Button>
      )}
      {search.text && <MessagesRead walk={walk} messages={messages} />}
    </ScanBar>
  );
}

function MessagesRead({ walk, messages }: Pick<ReportListState, 'walk' | 'messages'>) {
  const known = messages.known(walk.reports);
  return (
    <div className={classes.messages}>
      <output className={classes.said}>
        {known === walk.looked
          ? i18n.t('Searched all reasons and messages')
          : i18n.t('Searched all reasons and {known} of {count} messages', {
              known: number(known),
              count: number(walk.looked),
            })}
      </output>
      {messages.left > 0 ? (
        <>
          <progress
            className={classes.progress}
            max={walk.looked}
            value={walk.looked - messages.left}
            aria-label={i18n.t('Messages searched')}
          />
          <Button variant="subtle" size="compact-xs" onClick={messages.stop}>
            {i18n.t('Stop')}
          </Button>
        </>
      ) : (
        known < walk.looked && (
          <Button variant="subtle" size="compact-xs" onClick={() => void messages.load()}>
            {i18n.t('Search {count, plural, one {# more message} other {# more messages}}', {
              count: walk.looked - known,
            })}
          </Button>
        )
      )}
    </div>
  );
}

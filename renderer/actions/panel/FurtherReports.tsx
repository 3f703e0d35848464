import { i18n } from '@lingui/core';
import { Button, Checkbox } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { failureSentence } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import type { Action } from '../action.ts';
import type { Item } from '../items.ts';
import classes from './ActionPanel.module.css';
import {
  type Further,
  type FurtherReports as Looked,
  noFurther,
  useFurtherReports,
} from './further-reports.ts';

type ReportsOnItProps = {
  action: Action;
  items: readonly Item[];
  /** Number of reports that led to the action. */
  reported: number;
  isReviewed: boolean;
  onReview: (isReviewed: boolean) => void;
  includesFurther: boolean;
  onFurther: (further: Further) => void;
  /** Called when the search stops or the choice is cleared. */
  onHalt: () => void;
};

/** Offers to resolve the reports that led to the action, and others on its items. */
export function ReportsOnIt(props: ReportsOnItProps) {
  const { action, items, reported, isReviewed, onReview, includesFurther, onFurther, onHalt } = props;
  return (
    <>
      {reported > 0 && (
        <Checkbox
          size="xs"
          label={i18n.t('Resolve {count, plural, one {this report} other {these # reports}}', {
            count: reported,
          })}
          checked={isReviewed}
          onChange={(event) => onReview(event.currentTarget.checked)}
        />
      )}
      {action.resolvesReports && (
        <FurtherReports
          action={action}
          items={items}
          hasOwn={reported > 0}
          isIncludedAtFirst={includesFurther}
          onChange={onFurther}
          onHalt={onHalt}
        />
      )}
    </>
  );
}

type Props = {
  action: Action;
  items: readonly Item[];
  /** Whether reports led to the action; they have a checkbox of their own. */
  hasOwn: boolean;
  isIncludedAtFirst: boolean;
  onChange: (further: Further) => void;
  /** Called when the search stops or the choice is cleared. */
  onHalt: () => void;
};

/** Offers to resolve other open reports on the items. */
function FurtherReports({ action, items, hasOwn, isIncludedAtFirst, onChange, onHalt }: Props) {
  const further = useFurtherReports(action, items, isIncludedAtFirst);
  const {
    isOffered,
    isTooMany,
    isCounted,
    isComplete,
    isIncluded,
    isLooking,
    open,
    count,
    escalated,
    error,
  } = further;
  // Before the user can confirm.
  useLayoutEffect(() => {
    onChange(isIncluded ? { open, isLooking, isIncluded } : noFurther);
  }, [onChange, isIncluded, isLooking, open]);
  const isNone = isComplete && count === 0;
  return (
    <>
      {isOffered && !isNone && (isCounted || isIncluded || !isLooking) && (
        <div>
          <Checkbox
            size="xs"
            label={labelOf(further, items, hasOwn)}
            description={noteOf(further)}
            checked={isIncluded}
            onChange={(event) => {
              onHalt();
              further.want(event.currentTarget.checked);
            }}
          />
          {isIncluded && isLooking && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => {
                onHalt();
                further.stop();
              }}
            >
              {i18n.t('Stop scan')}
            </Button>
          )}
          {isIncluded && !isLooking && (further.isStopped || error) && !isComplete && (
            <Button variant="subtle" size="compact-xs" onClick={further.goOn}>
              {i18n.t('Scan more')}
            </Button>
          )}
        </div>
      )}
      {isTooMany && (
        <p className={classes.note}>
          {i18n.t('Too many selected to find other open reports {which}. They stay open.', {
            which: whichOf(items),
          })}
        </p>
      )}
      {isNone && escalated > 0 && <p className={classes.note}>{sayEscalated(escalated)}</p>}
    </>
  );
}

function labelOf(
  { isComplete, isFull, isIncluded, isLooking, count }: Looked,
  items: readonly Item[],
  hasOwn: boolean,
): string {
  const which = whichOf(items);
  const isKnown = isComplete || isFull || (isIncluded && !isLooking);
  if (!isKnown) {
    return hasOwn
      ? i18n.t('Also resolve other open reports {which}', { which })
      : i18n.t('Resolve open reports {which}', { which });
  }
  return hasOwn
    ? i18n.t(
        'Also resolve {count, plural, one {the other open report} other {# other open reports}} {which}',
        { count, which },
      )
    : i18n.t('Resolve {count, plural, one {the open report} other {# open reports}} {which}', {
        count,
        which,
      });
}

function whichOf(items: readonly Item[]): string {
  const isOne = items.length === 1;
  switch (items[0]?.kind) {
    case 'event':
      return isOne ? i18n.t('on this event') : i18n.t('on these events');
    case 'room':
      return isOne ? i18n.t('from this room') : i18n.t('from these rooms');
    case 'member':
      return isOne ? i18n.t('against this user in this room') : i18n.t('against these users in these rooms');
    default:
      return isOne ? i18n.t('against this user') : i18n.t('against these users');
  }
}

const sayEscalated = (count: number) =>
  i18n.t('{count, plural, one {One more stays} other {# more stay}} escalated.', { count });

/** Returns the scan's progress and the reports that stay open. */
function noteOf({ isIncluded, isCounted, escalated, ...further }: Looked): string {
  const { isComplete, isFull, isLooking, error } = further;
  const [count, looked, total] = [further.count, further.looked, further.total].map(number);
  const notes = [
    error && i18n.t('Not available: {why}', { why: failureSentence(error) }),
    !isComplete && !isIncluded && isCounted && i18n.t('Scans {total} reports first.', { total }),
    isIncluded &&
      isLooking &&
      i18n.t('Scanned {looked} of {total}, {count} found.', { looked, total, count }),
    isIncluded && isFull && i18n.t('Limited to {count}. Older reports stay open.', { count }),
    isIncluded &&
      !isLooking &&
      !isComplete &&
      !isFull &&
      i18n.t("Scanned {looked} of {total}. The rest won't change.", {
        looked,
        total,
      }),
    escalated > 0 && sayEscalated(escalated),
  ];
  return notes.filter(Boolean).join(' ');
}

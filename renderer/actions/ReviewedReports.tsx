import { i18n } from '@lingui/core';
import { Button, Checkbox } from '@mantine/core';
import { failureSentence } from '../transport/failure-sentence.ts';
import { number } from '../words/format.ts';
import classes from './ActionPanel.module.css';
import type { Item } from './subject.ts';
import type { FurtherReports } from './use-further-reports.ts';

type Props = {
  items: readonly Item[];
  /** How many reports it is done because of. */
  reported: number;
  isReviewed: boolean;
  onReview: (isReviewed: boolean) => void;
  further: FurtherReports;
  /** It is not looked further, or for none of them any more. */
  onHalt: () => void;
};

/** Which reports are marked reviewed by what is done: those that it is done because of, and the others on the same. */
export function ReviewedReports({ items, reported, isReviewed, onReview, further, onHalt }: Props) {
  const { isOffered, isCounted, isComplete, isWanted, isLooking, count, escalated, error } = further;
  const isNone = isComplete && count === 0;
  return (
    <>
      {reported > 0 && (
        <Checkbox
          size="xs"
          label={i18n.t(
            '{count, plural, one {Mark its report reviewed} other {Mark the # reports reviewed}}',
            { count: reported },
          )}
          checked={isReviewed}
          onChange={(event) => onReview(event.currentTarget.checked)}
        />
      )}
      {isOffered && !isNone && (isCounted || isWanted || !isLooking) && (
        <div>
          <Checkbox
            size="xs"
            label={labelOf(further, items, reported > 0)}
            description={noteOf(further)}
            checked={isWanted}
            onChange={(event) => {
              onHalt();
              further.want(event.currentTarget.checked);
            }}
          />
          {isWanted && isLooking && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => {
                onHalt();
                further.stop();
              }}
            >
              {i18n.t('Stop looking')}
            </Button>
          )}
          {isWanted && !isLooking && (further.isStopped || error) && !isComplete && (
            <Button variant="subtle" size="compact-xs" onClick={further.goOn}>
              {i18n.t('Look further')}
            </Button>
          )}
        </div>
      )}
      {isNone && escalated > 0 && <p className={classes.note}>{sayEscalated(escalated)}</p>}
    </>
  );
}

/** As many as there are, once that is known. */
function labelOf(
  { isComplete, isFull, isWanted, isLooking, count }: FurtherReports,
  items: readonly Item[],
  hasOwn: boolean,
): string {
  const which = whichOf(items);
  const isKnown = isComplete || isFull || (isWanted && !isLooking);
  if (!isKnown) {
    return hasOwn
      ? i18n.t('Mark the other open reports {which} reviewed, too', { which })
      : i18n.t('Mark the open reports {which} reviewed', { which });
  }
  return hasOwn
    ? i18n.t(
        '{count, plural, one {Mark the other open report {which} reviewed, too} other {Mark the {shown} other open reports {which} reviewed, too}}',
        { count, shown: number(count), which },
      )
    : i18n.t(
        '{count, plural, one {Mark the open report {which} reviewed} other {Mark the {shown} open reports {which} reviewed}}',
        { count, shown: number(count), which },
      );
}

function whichOf(items: readonly Item[]): string {
  const isOne = items.length === 1;
  switch (items[0]?.kind) {
    case 'event':
      return isOne ? i18n.t('on this event') : i18n.t('on these events');
    case 'room':
      return isOne ? i18n.t('from this room') : i18n.t('from these rooms');
    case 'member':
      return isOne ? i18n.t('against this person in this room') : i18n.t('against them in these rooms');
    default:
      return isOne ? i18n.t('against this person') : i18n.t('against these people');
  }
}

const sayEscalated = (count: number) =>
  i18n.t(
    '{count, plural, one {One more is escalated, and stays so.} other {{shown} more are escalated, and stay so.}}',
    { count, shown: number(count) },
  );

/** How far one has looked, and what stays open. */
function noteOf({ isWanted, isCounted, escalated, ...further }: FurtherReports): string {
  const { isComplete, isFull, isLooking, error } = further;
  const [count, looked, total] = [further.count, further.looked, further.total].map(number);
  const notes = [
    error && i18n.t('Not known: {why}', { why: failureSentence(error) }),
    !isComplete &&
      !isWanted &&
      isCounted &&
      i18n.t('For them, {total} reports are looked through first.', { total }),
    isWanted &&
      isLooking &&
      i18n.t('Looked through {looked} of {total}: {count} so far.', { looked, total, count }),
    isWanted &&
      isFull &&
      i18n.t('More than {count} are not marked at once: the older ones stay open.', { count }),
    isWanted &&
      !isLooking &&
      !isComplete &&
      !isFull &&
      i18n.t('Looked through {looked} of {total}: what was not looked through stays as it is.', {
        looked,
        total,
      }),
    escalated > 0 && sayEscalated(escalated),
  ];
  return notes.filter(Boolean).join(' ');
}

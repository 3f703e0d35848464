import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import type { Action } from './action.ts';
import { FurtherReports } from './FurtherReports.tsx';
import type { Item } from './subject.ts';
import type { Further } from './with-further.ts';

type Props = {
  action: Action;
  items: readonly Item[];
  /** How many reports it is done because of. */
  reported: number;
  isReviewed: boolean;
  onReview: (isReviewed: boolean) => void;
  /** Whether the others are wanted without being asked for. */
  isFurtherWanted: boolean;
  onFurther: (further: Further) => void;
  /** It is not looked further, or for none of them any more. */
  onHalt: () => void;
};

/** Which reports are marked reviewed by an action: those that it is done because of, and the others on the same. */
export function ReportsOnIt(props: Props) {
  const { action, items, reported, isReviewed, onReview, isFurtherWanted, onFurther, onHalt } = props;
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
      {action.settles && (
        <FurtherReports
          action={action}
          items={items}
          hasOwn={reported > 0}
          isWantedAtFirst={isFurtherWanted}
          onChange={onFurther}
          onHalt={onHalt}
        />
      )}
    </>
  );
}

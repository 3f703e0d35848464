import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Action } from './action.ts';
import { nothingInstead } from './nothing-instead.tsx';
import type { Item } from './subject.ts';
import type { Further } from './with-further.ts';

const FurtherReports = lazy(() => import('./FurtherReports.tsx').catch(() => nothingInstead));

type Props = {
  action: Action;
  items: readonly Item[];
  /** How many reports it is done because of. */
  reported: number;
  isReviewed: boolean;
  onReview: (isReviewed: boolean) => void;
  onFurther: (further: Further) => void;
  /** It is not looked further, or for none of them any more. */
  onHalt: () => void;
};

/** Which reports are marked reviewed by an action: those that it is done because of, and the others on the same. */
export function ReportsOnIt({ action, items, reported, isReviewed, onReview, onFurther, onHalt }: Props) {
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
      {action.settles && (
        <Suspense>
          <FurtherReports
            action={action}
            items={items}
            hasOwn={reported > 0}
            onChange={onFurther}
            onHalt={onHalt}
          />
        </Suspense>
      )}
    </>
  );
}

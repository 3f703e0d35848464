import { i18n } from '@lingui/core';
import { IconMessage, IconUser } from '@tabler/icons-react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { Hint } from '../../components/Hint.tsx';
import { number } from '../../words/format.ts';
import classes from './desk/Row.module.css';
import { useOtherReports } from './rows/use-other-reports.ts';

/** Whether this sender or this event has other open reports; nothing while that isn't known. */
export function OtherCounts({ report }: { report: EventReportItem }) {
  const { areOpen, onSender, onEvent } = useOtherReports(report);
  return (
    <>
      {onSender !== undefined && onSender > 0 && (
        <Hint
          label={
            areOpen
              ? i18n.t(
                  '{count, plural, one {# more open report} other {# more open reports}} against this sender',
                  { count: onSender },
                )
              : i18n.t(
                  '{count, plural, one {# more report} other {# more reports}} against this sender (any status)',
                  { count: onSender },
                )
          }
        >
          <span className={classes.others} data-others="sender">
            <IconUser size={11} aria-hidden />
            <bdi dir="ltr">+{number(onSender)}</bdi>
          </span>
        </Hint>
      )}
      {onEvent !== undefined && onEvent.count > 0 && (
        <Hint
          label={
            areOpen
              ? i18n.t(
                  '{count, plural, one {# more open report} other {# more open reports}} on this event',
                  { count: onEvent.count },
                )
              : onEvent.isComplete
                ? i18n.t(
                    '{count, plural, one {# more report} other {# more reports}} on this event (any status)',
                    { count: onEvent.count },
                  )
                : i18n.t(
                    'At least {count, plural, one {# more report} other {# more reports}} on this event (any status)',
                    { count: onEvent.count },
                  )
          }
        >
          <span className={classes.others} data-others="event">
            <IconMessage size={11} aria-hidden />
            <bdi dir="ltr">
              {onEvent.isComplete ? '+' : '≥'}
              {number(onEvent.count)}
            </bdi>
          </span>
        </Hint>
      )}
    </>
  );
}

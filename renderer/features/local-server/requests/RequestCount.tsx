import { i18n } from '@lingui/core';
import { keptRequests } from '../../../../shared/workbench/inspector.ts';
import { number } from '../../../words/format.ts';
import classes from './Requests.module.css';

type Props = {
  /** How many are shown, of all, and how many are not because the console made them itself. */
  found: number;
  all: number;
  hidden: number;
  /** How many would be shown that came while the list was paused. */
  waiting: number;
  isFiltered: boolean;
};

/** How many requests there are, and what of them is shown. */
export function RequestCount({ found, all, hidden, waiting, isFiltered }: Props) {
  return (
    <output className={classes.count}>
      {isFiltered || hidden > 0
        ? i18n.t('{found} of {all}', { found: number(found), all: number(all) })
        : i18n.t('{count, plural, one {{shown} request} other {{shown} requests}}', {
            count: all,
            shown: number(all),
          })}
      {hidden > 0 &&
        i18n.t(', {shown} own hidden', {
          count: hidden,
          shown: number(hidden),
        })}
      {waiting > 0 &&
        i18n.t(', {shown} new', {
          count: waiting,
          shown: number(waiting),
        })}
    </output>
  );
}

/** Why there is no request in the list. */
export function NothingShown({ all, hidden }: Pick<Props, 'all' | 'hidden'>) {
  return (
    <p className={classes.note} role="status">
      {all === 0
        ? i18n.t('No requests yet. Shows the last {kept} client requests.', {
            kept: number(keptRequests),
          })
        : hidden > 0
          ? i18n.t(
              '{count, plural, one {{shown} console request hidden} other {{shown} console requests hidden}}',
              { count: hidden, shown: number(hidden) },
            )
          : i18n.t('No matching requests')}
    </p>
  );
}

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
        i18n.t(', {count, plural, one {{shown} own hidden} other {{shown} own hidden}}', {
          count: hidden,
          shown: number(hidden),
        })}
      {waiting > 0 &&
        i18n.t(', and {count, plural, one {{shown} new one} other {{shown} new ones}}', {
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
        ? i18n.t(
            'Nothing yet. What a client asks of this server from now on appears here, the last {kept} of it.',
            {
              kept: number(keptRequests),
            },
          )
        : hidden > 0
          ? i18n.t(
              '{count, plural, one {Nothing but {shown} request that this console made itself.} other {Nothing but {shown} requests that this console made itself.}}',
              { count: hidden, shown: number(hidden) },
            )
          : i18n.t('No request matches.')}
    </p>
  );
}

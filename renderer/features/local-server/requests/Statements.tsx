import { i18n } from '@lingui/core';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { number } from '../../../words/format.ts';
import classes from './Statements.module.css';

/** What the database was asked, what took longest first. */
export function Statements({ statements, asked }: InspectedRequest['database']) {
  if (asked.length === 0) return null;
  const others = statements - asked.reduce((sum, { times }) => sum + times, 0);
  return (
    <details className={classes.all}>
      <summary>{i18n.t('Which ones, without their values')}</summary>
      <ol className={classes.list}>
        {asked.map(({ sql, times, ms }) => (
          <li key={sql} className={classes.statement}>
            <span className={classes.figures}>
              {i18n.t('{count, plural, one {once, {ms} ms} other {{shown} times, {ms} ms}}', {
                count: times,
                shown: number(times),
                ms: number(Math.round(ms * 100) / 100),
              })}
            </span>
            <code className={classes.sql} dir="ltr">
              {sql}
            </code>
          </li>
        ))}
      </ol>
      {others > 0 && (
        <p className={classes.figures}>
          {i18n.t('And {shown} more, which took less time.', { shown: number(others) })}
        </p>
      )}
    </details>
  );
}

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
      <summary>{i18n.t('Statements (values omitted)')}</summary>
      <ol className={classes.list}>
        {asked.map(({ sql, times, ms }) => (
          <li key={sql} className={classes.statement}>
            <span className={classes.figures}>
              {i18n.t('{shown}×, {ms} ms', {
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
        <p className={classes.figures}>{i18n.t('And {shown} faster ones.', { shown: number(others) })}</p>
      )}
    </details>
  );
}

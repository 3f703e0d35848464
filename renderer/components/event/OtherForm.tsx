import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { isTooLongToCompare, saysSomethingElse } from './body-mismatch.ts';
import classes from './EventView.module.css';
import { PlainBody } from './PlainBody.tsx';

/** The plain form of a message, where it says something else than the formatted one, or may do so. */
export function OtherForm({ body, html }: { body: string; html: string }) {
  const isTooLong = isTooLongToCompare(body, html);
  const differs = useMemo(() => !isTooLong && saysSomethingElse(body, html), [isTooLong, body, html]);
  if (!differs && !isTooLong) return null;
  return (
    <div className={classes.otherForm} role="note">
      <strong>
        {isTooLong
          ? i18n.t('Too long to compare. Notifications and simple apps show:')
          : i18n.t('Plain text differs. Notifications and simple apps show:')}
      </strong>
      {body === '' ? <em>{i18n.t('Empty')}</em> : <PlainBody text={body} />}
    </div>
  );
}

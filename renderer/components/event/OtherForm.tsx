import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { saysSomethingElse } from './body-mismatch.ts';
import classes from './EventView.module.css';
import { PlainBody } from './PlainBody.tsx';

/** The plain form of a message, where it says something else than the formatted one. */
export function OtherForm({ body, html }: { body: string; html: string }) {
  const differs = useMemo(() => saysSomethingElse(body, html), [body, html]);
  if (!differs) return null;
  return (
    <div className={classes.otherForm} role="note">
      <strong>
        {i18n.t('Its plain text says something else: notifications and simple apps show this instead.')}
      </strong>
      {body === '' ? <em>{i18n.t('Nothing')}</em> : <PlainBody text={body} />}
    </div>
  );
}

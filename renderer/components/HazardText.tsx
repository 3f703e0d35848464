import { i18n } from '@lingui/core';
import { Fragment } from 'react';
import classes from './HazardText.module.css';
import { textPieces } from './text-hazards.ts';

/** Of what is called so nothing could be seen, or clicked. */
const blank = /^[\s\u2800]+$/;

/** Text that someone unknown wrote: kept to itself in direction, hidden characters made visible. */
export function HazardText({ text }: { text: string }) {
  return (
    <bdi>
      {blank.test(text) ? (
        <span className={classes.hazard}>{i18n.t('only spaces')}</span>
      ) : (
        <VisibleText text={text} />
      )}
    </bdi>
  );
}

/** The same within something that already keeps its direction to itself. */
export function VisibleText({ text }: { text: string }) {
  // What has no element of its own is laid out with what stands beside it.
  const Plain = text.length > 500 ? 'span' : Fragment;
  return textPieces(text).map(({ text: plain, hazard }, index) =>
    hazard ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
      <span key={index} className={classes.hazard} title={i18n.t('Invisible character')}>
        {hazard}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
      <Plain key={index}>{plain}</Plain>
    ),
  );
}

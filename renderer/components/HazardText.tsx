import { i18n } from '@lingui/core';
import { Fragment } from 'react';
import classes from './HazardText.module.css';
import { textPieces } from './text-hazards.ts';

/** A name of blanks would be invisible and couldn't be clicked. */
const blank = /^[\s\u2800]+$/;

/** Renders untrusted text: isolates its direction and makes invisible characters visible. */
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

/** Renders untrusted text inside an element that already isolates its direction. */
export function VisibleText({ text }: { text: string }) {
  // Without elements of their own, long texts are laid out as one.
  const Plain = text.length > 500 ? 'span' : Fragment;
  return textPieces(text).map(({ text: plain, hazard }, index) =>
    hazard ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
      <span key={index} className={classes.hazard} title={i18n.t('Invisible character')}>
        {hazard}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
      <Plain key={index}>{plain}</Plain>
    ),
  );
}

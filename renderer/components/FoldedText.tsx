import { i18n } from '@lingui/core';
import { type ReactNode, useMemo } from 'react';
import { beginning } from '../words/beginning.ts';
import { AllOfText } from './AllOfText.tsx';
import { byteSize } from './byte-size.ts';
import { Folded } from './Folded.tsx';

/** So much of a text is drawn, in characters: with much more of it the page stands still. */
const mostDrawn = 100_000;

const sizeOf = (text: string) => byteSize(new TextEncoder().encode(text).length);

type Props = {
  text: string;
  /** Lines shown while folded; a page of them by default. */
  lines?: number;
  /** Gives what is drawn: of a text that is too long, its first part. */
  children: (shown: string) => ReactNode;
};

/** A text of whatever length: folded where it is long, and where it is too long for a page, the first part of it. */
export function FoldedText({ text, lines, children }: Props) {
  const { shown, size, whole } = useMemo(() => {
    const shown = beginning(text, mostDrawn);
    return { shown, size: sizeOf(shown), whole: shown === text ? undefined : sizeOf(text) };
  }, [text]);
  if (whole === undefined)
    return (
      <Folded size={size} lines={lines}>
        {children(shown)}
      </Folded>
    );
  return (
    <>
      <Folded label={i18n.t('Show first {size}', { size })} lines={lines}>
        {children(shown)}
      </Folded>
      <AllOfText text={text} shown={size} size={whole} />
    </>
  );
}

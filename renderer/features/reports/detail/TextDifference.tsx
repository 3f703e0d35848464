import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { byteSize } from '../../../components/byte-size.ts';
import { Folded } from '../../../components/Folded.tsx';
import { VisibleText } from '../../../components/HazardText.tsx';
import classes from './SinceThen.module.css';
import { wordDifference } from './word-difference.ts';

/** Two texts as one, with what is gone struck out and what is new underlined. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <Folded size={byteSize(new TextEncoder().encode(after).length)}>
      <div className={classes.difference} dir="auto">
        {pieces.map(({ kind, text }, index) => {
          const Tag = kind === 'gone' ? 'del' : kind === 'new' ? 'ins' : 'span';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one difference never change places
            <Tag key={index}>
              <VisibleText text={text} />
            </Tag>
          );
        })}
        {pieces.length === 0 && <em>{i18n.t('Empty')}</em>}
      </div>
    </Folded>
  );
}

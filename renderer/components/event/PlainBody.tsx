import { i18n } from '@lingui/core';
import { FoldedText } from '../FoldedText.tsx';
import { VisibleText } from '../HazardText.tsx';
import classes from './EventView.module.css';

/** Text as it was sent, folded where it is long; where nothing would be seen of it, that is said. */
export function PlainBody({ text }: { text: string }) {
  if (text.trim() === '') return <span className={classes.note}>{i18n.t('(empty)')}</span>;
  return (
    <FoldedText text={text}>
      {(shown) => (
        <div className={classes.plain} dir="auto">
          <VisibleText text={shown} />
        </div>
      )}
    </FoldedText>
  );
}

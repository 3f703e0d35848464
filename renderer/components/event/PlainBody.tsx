import { FoldedText } from '../FoldedText.tsx';
import { VisibleText } from '../HazardText.tsx';
import classes from './EventView.module.css';

/** Text as it was sent, folded where it is long. */
export function PlainBody({ text }: { text: string }) {
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

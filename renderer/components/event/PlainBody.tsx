import { byteSize } from '../byte-size.ts';
import { Folded } from '../Folded.tsx';
import { VisibleText } from '../HazardText.tsx';
import classes from './EventView.module.css';

/** Text as it was sent, folded where it is long. */
export function PlainBody({ text }: { text: string }) {
  return (
    <Folded size={byteSize(new TextEncoder().encode(text).length)}>
      <div className={classes.plain} dir="auto">
        <VisibleText text={text} />
      </div>
    </Folded>
  );
}

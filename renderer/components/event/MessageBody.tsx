import { byteSize } from '../byte-size.ts';
import { Folded } from '../Folded.tsx';
import { VisibleText } from '../HazardText.tsx';
import classes from './EventView.module.css';
import { FormattedBody } from './FormattedBody.tsx';

/** What a message says, folded where it is long; its formatted form where it has one. */
export function MessageBody({ text, html }: { text: string; html?: string | undefined }) {
  const size = byteSize(new TextEncoder().encode(html ?? text).length);
  return (
    <Folded size={size}>
      {html === undefined ? (
        <div className={classes.plain} dir="auto">
          <VisibleText text={text} />
        </div>
      ) : (
        <FormattedBody html={html} />
      )}
    </Folded>
  );
}

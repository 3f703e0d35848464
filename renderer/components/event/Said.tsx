import { clipped } from '../../words/beginning.ts';
import { HazardText } from '../HazardText.tsx';
import { identifierWarning } from '../text-hazards.ts';
import { Warning } from '../Warning.tsx';
import classes from './EventView.module.css';

/** What someone wrote, within a sentence of the console's. */
export function Said({ text }: { text: string }) {
  return <HazardText text={clipped(text)} />;
}

/** Somebody within a sentence: the whole identifier, since a name can be anybody's. */
export function Who({ id }: { id: string }) {
  const warning = identifierWarning(id);
  return (
    <span className={classes.who}>
      <Said text={id} />
      {warning && <Warning reason={warning} />}
    </span>
  );
}

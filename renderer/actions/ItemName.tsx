import { HazardText } from '../components/HazardText.tsx';
import { Identity } from '../components/Identity.tsx';
import classes from './ActionPanel.module.css';
import type { ItemFacts } from './item-facts.ts';
import { inSentence, wholeNameOf } from './name-in-sentence.ts';
import type { Item } from './subject.ts';

/** What one knows it by: a person by name and identifier, an event by who sent it and how it begins. */
export function ItemName({ item, facts: { userId, name, words } }: { item: Item; facts: ItemFacts }) {
  if (userId === undefined) return <span className={classes.id}>{wholeNameOf(item)}</span>;
  return (
    <>
      <Identity id={userId} name={name} />
      {item.kind === 'member' && <span> · {inSentence(item.roomName ?? item.roomId)}</span>}
      {item.kind === 'event' &&
        (words ? (
          <span className={classes.words}>
            <HazardText text={words} />
          </span>
        ) : (
          <span className={classes.id}>{wholeNameOf(item)}</span>
        ))}
    </>
  );
}

import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import { number } from '../words/format.ts';
import classes from './ActionPanel.module.css';
import { usersIn } from './action-words.ts';
import { ItemName } from './ItemName.tsx';
import { itemFacts } from './item-facts.ts';
import { inSentence, named, nameOf } from './name-in-sentence.ts';
import { type Item, keyOf } from './subject.ts';

const mostListed = 500;

/** To whom or what it is done, as far as they are known by more than an identifier: one in a line, many to unfold. */
export function WhichOnes({ items }: { items: readonly Item[] }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const shown = useMemo(() => {
    const factsOf = itemFacts(queryClient, server);
    return items.slice(0, mostListed).map((item) => ({ item, facts: factsOf(item) }));
  }, [queryClient, server, items]);

  const [first] = shown;
  if (items.length === 1 && first) {
    const { name, words } = first.facts;
    if (!name && !words) return null;
    return (
      <div className={classes.item}>
        <ItemName {...first} />
      </div>
    );
  }
  return (
    <>
      <p className={classes.note}>{firstNames(items)}</p>
      <details>
        <summary>{i18n.t('Details')}</summary>
        <ul className={classes.list}>
          {shown.map(({ item, facts }) => (
            <li key={keyOf(item)} className={classes.item}>
              <ItemName item={item} facts={facts} />
            </li>
          ))}
          {items.length > mostListed && (
            <li>{i18n.t('and {count} more', { count: number(items.length - mostListed) })}</li>
          )}
        </ul>
      </details>
    </>
  );
}

/** The first of them by name, each once, and how many more there are; of one user, the rooms; of events, who sent them. */
function firstNames(items: readonly Item[]): string {
  const isOne = usersIn(items) === 1;
  const senders = items.flatMap((item) => (item.kind === 'event' && item.sender ? [item.sender] : []));
  if (senders.length === items.length) {
    return i18n.t('Sent by {names}', { names: named([...new Set(senders)].map(inSentence)) });
  }
  const names = items.map((item) =>
    isOne && item.kind === 'member' ? inSentence(item.roomName ?? item.roomId) : nameOf(item),
  );
  return named([...new Set(names)]);
}

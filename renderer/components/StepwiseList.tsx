import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';

type Props<Item> = Pick<ComponentProps<'ul'>, 'className' | 'aria-label'> & {
  items: readonly Item[];
  /** So many are shown at first, and more of them by each click. */
  step: number;
  keyOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
};

/** A list of which the first are shown: each of the others may cost the server or the screen something. */
export function StepwiseList<Item>({ items, step, keyOf, children, ...list }: Props<Item>) {
  const [shown, setShown] = useState(step);
  return (
    <ul {...list}>
      {items.slice(0, shown).map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
      {items.length > shown && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + step)}>
            {i18n.t('Show more')}
          </Button>
        </li>
      )}
    </ul>
  );
}

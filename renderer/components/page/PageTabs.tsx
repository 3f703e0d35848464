import { i18n } from '@lingui/core';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommands } from '../../console-context.ts';
import classes from './PageTabs.module.css';

type PageTab = { id: string; name: string };

type Props = {
  label: string;
  tabs: readonly PageTab[];
  current: string;
  onChange: (id: string) => void;
  /** The current tab's panel. */
  children: ReactNode;
};

/** Renders tabs that can be changed by click, arrow keys, shortcuts and the command palette. */
export function PageTabs({ label, tabs, current, onChange, children }: Props) {
  const currentIndex = tabs.findIndex(({ id }) => id === current);
  const step = (by: 1 | -1) => () => {
    const next = tabs[(currentIndex + by + tabs.length) % tabs.length];
    if (next) onChange(next.id);
  };
  const group = i18n.t('Page sections');
  useCommands([
    { id: 'next part', label: i18n.t('Next section'), group, keys: ['.'], keyboardOnly: true, run: step(1) },
    {
      id: 'previous part',
      label: i18n.t('Previous section'),
      group,
      keys: [','],
      keyboardOnly: true,
      run: step(-1),
    },
    ...tabs.map(({ id, name }) => ({ id: `part ${id}`, label: name, group, run: () => onChange(id) })),
  ]);
  return (
    <Tabs
      unstyled
      value={current}
      onChange={(id) => id !== null && onChange(id)}
      activateTabWithKeyboard={false}
      className={classes.tabs ?? ''}
      keepMounted={false}
    >
      <Tabs.List aria-label={label} className={classes.list ?? ''}>
        {tabs.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} className={classes.tab ?? ''}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={current} value={current} className={classes.panel ?? ''}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}

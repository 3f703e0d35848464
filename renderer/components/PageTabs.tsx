import { i18n } from '@lingui/core';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommands } from '../console-context.ts';
import classes from './PageTabs.module.css';

type PageTab = { id: string; name: string };

type Props = {
  /** What the parts belong to. */
  label: string;
  tabs: readonly PageTab[];
  current: string;
  onChange: (id: string) => void;
  /** The current one. */
  children: ReactNode;
};

/** The parts of a page, one at a time: by click, by arrow keys, by key from anywhere on the page, and by palette. */
export function PageTabs({ label, tabs, current, onChange, children }: Props) {
  const at = tabs.findIndex(({ id }) => id === current);
  const step = (by: 1 | -1) => () => {
    const next = tabs[(at + by + tabs.length) % tabs.length];
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

import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCommands } from '../../console-context.ts';
import { Avatar } from '../Avatar.tsx';
import { HazardText } from '../HazardText.tsx';
import { StaleNote } from '../LoadStates.tsx';
import { type State, StateMark } from '../State.tsx';
import { KeysAreElsewhere, OnSelecting } from '../table/selection.ts';
import { nameWarning } from '../text-hazards.ts';
import { Warning } from '../Warning.tsx';
import { PageTabs } from './PageTabs.tsx';
import classes from './SubjectPage.module.css';

type Props = {
  /** The display name, or else the ID. */
  name: string;
  id: string;
  /** Its states. */
  badges: readonly State[];
  /** The query that a warning about stale data is shown for. */
  query: Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>;
  actions: ReactNode;
  history?: ReactNode;
  /** The children bring their own layout, such as tabs. */
  customLayout?: true;
  children: ReactNode;
};

/** Renders the page of a user, a room or a file: heading, actions, content. */
export function SubjectPage({ name, id, badges, query, actions, history, customLayout, children }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  const warning = nameWarning(name);
  const { history: entries } = useRouter();
  // Tabs push history entries, which the Back command skips.
  const [entryIndex] = useState(() => entries.location.state.__TSR_index);
  const [isSelecting, setSelecting] = useState(false);
  useCommands(
    entryIndex > 0 && !isSelecting
      ? [
          {
            id: 'back',
            label: i18n.t('Back'),
            group: i18n.t('Navigation'),
            keys: ['Escape'],
            run: () => entries.go(Math.min(-1, entryIndex - 1 - entries.location.state.__TSR_index)),
          },
        ]
      : [],
  );
  const copyButton = (
    <UnstyledButton className={classes.id} onClick={() => clipboard.copy(id)}>
      {id !== name && <HazardText text={id} />} <IconCopy size={12} aria-label={i18n.t('Copy full ID')} />
      <span role="status">{clipboard.copied && i18n.t('Copied')}</span>
    </UnstyledButton>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.page} tabIndex={0} aria-label={name}>
      <header className={classes.heading}>
        {/^[@!]/.test(id) && <Avatar id={id} name={name === id ? undefined : name} size={44} />}
        <div className={classes.identity}>
          <div className={classes.nameLine}>
            <h1 className={classes.name}>
              <HazardText text={name} />
              {warning && <Warning reason={warning} />}
            </h1>
            {id === name && copyButton}
            {badges.length > 0 && (
              <ul className={classes.badges} aria-label={i18n.t('Status')}>
                {badges.map((state) => (
                  <li key={state.words}>
                    <StateMark {...state} />
                  </li>
                ))}
              </ul>
            )}
          </div>
          {id !== name && copyButton}
          {query.error && query.data !== undefined && (
            <StaleNote error={query.error} since={query.dataUpdatedAt} onRetry={query.refetch} />
          )}
        </div>
        <div className={classes.actions}>
          <KeysAreElsewhere value={isSelecting}>{actions}</KeysAreElsewhere>
        </div>
      </header>
      <OnSelecting value={setSelecting}>
        {customLayout ? children : <SubjectColumns history={history}>{children}</SubjectColumns>}
      </OnSelecting>
    </section>
  );
}

/** Lays out the content with the history at the side, if there is one. */
export function SubjectColumns({ history, children }: { history: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns} data-alone={history === null || undefined}>
      <div className={classes.main}>{children}</div>
      {history !== null && <div className={classes.side}>{history}</div>}
    </div>
  );
}

type Tab<Id> = { id: Id; name: string; content: () => ReactNode };

type TabsProps<Id> = {
  /** The first one is the overview. */
  tabs: readonly [Tab<Id>, ...Tab<Id>[]];
  /** From the address; the overview for an unknown tab. */
  current: Id | undefined;
  /** `undefined` is the overview, which the address doesn't name. */
  onChange: (id: Id | undefined) => void;
};

/** Renders the sections of a page. Other than the overview, each is a list or an editor with its own scrollbar. */
export function SubjectTabs<Id extends string>({ tabs, current, onChange }: TabsProps<Id>) {
  const [overview] = tabs;
  const tab = tabs.find(({ id }) => id === current) ?? overview;
  return (
    <PageTabs
      label={i18n.t('Page sections')}
      tabs={tabs}
      current={tab.id}
      onChange={(id) => onChange(id === overview.id ? undefined : (id as Id))}
    >
      {tab === overview ? tab.content() : <div className={classes.list}>{tab.content()}</div>}
    </PageTabs>
  );
}

/** Lays out groups of facts: in one, two or three columns. */
export const FactGroups = ({ children }: { children: ReactNode }) => (
  <div className={classes.groups}>{children}</div>
);

export function FactGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={title}>
      <h2 className={classes.groupTitle}>{title}</h2>
      {children}
    </section>
  );
}

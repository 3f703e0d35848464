import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCommands } from '../console-context.ts';
import { Avatar } from './Avatar.tsx';
import { HazardText } from './HazardText.tsx';
import { StaleNote } from './LoadStates.tsx';
import classes from './SubjectPage.module.css';
import { KeysAreElsewhere, TellSelecting } from './table/selection.ts';
import { nameWarning } from './text-hazards.ts';
import { Warning } from './Warning.tsx';

type Props = {
  /** The display name, or else the ID. */
  name: string;
  id: string;
  /** Its states; `when`: the exact start time. */
  badges: readonly { words: string; grave: boolean; when?: string | undefined }[];
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
  // Tabs push history entries: Back goes to before the first of them.
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.page} tabIndex={0} aria-label={name}>
      <header className={classes.heading}>
        {/^[@!]/.test(id) && <Avatar id={id} name={name === id ? undefined : name} size={32} />}
        <h1 className={classes.name}>
          <HazardText text={name} />
          {warning && <Warning reason={warning} />}
        </h1>
        <UnstyledButton className={classes.id} onClick={() => clipboard.copy(id)}>
          {id !== name && <HazardText text={id} />} <IconCopy size={12} aria-label={i18n.t('Copy full ID')} />
          <span role="status">{clipboard.copied && i18n.t('Copied')}</span>
        </UnstyledButton>
        {badges.length > 0 && (
          <ul className={classes.badges} aria-label={i18n.t('Status')}>
            {badges.map(({ words, grave, when }) => (
              <li key={words} data-grave={grave || undefined} title={when}>
                {words}
              </li>
            ))}
          </ul>
        )}
        {query.error && query.data !== undefined && (
          <StaleNote error={query.error} since={query.dataUpdatedAt} onRetry={query.refetch} />
        )}
        <div className={classes.actions}>
          <KeysAreElsewhere value={isSelecting}>{actions}</KeysAreElsewhere>
        </div>
      </header>
      <TellSelecting value={setSelecting}>
        {customLayout ? children : <SubjectColumns history={history}>{children}</SubjectColumns>}
      </TellSelecting>
    </section>
  );
}

/** Lays out the content with the history at the side. */
export function SubjectColumns({ history, children }: { history: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.main}>{children}</div>
      <div className={classes.side}>{history}</div>
    </div>
  );
}

/** Gives a list or an editor the rest of the window, with its own scrollbar. */
export function SubjectList({ children }: { children: ReactNode }) {
  return <div className={classes.list}>{children}</div>;
}

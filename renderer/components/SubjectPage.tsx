import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCommands } from '../console-context.ts';
import { HazardText } from './HazardText.tsx';
import { NotUpToDate } from './NotUpToDate.tsx';
import classes from './SubjectPage.module.css';
import { KeysAreElsewhere, TellSelecting } from './table/selection.ts';
import { nameWarning } from './text-hazards.ts';
import { Warning } from './Warning.tsx';

type Props = {
  /** What people call it; its identifier where they don't. */
  name: string;
  id: string;
  /** Its state in words; `when`: exactly when it began. */
  badges: readonly { words: string; grave: boolean; when?: string | undefined }[];
  /** What of it was asked for, and can grow old. */
  asked: Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>;
  /** What can be done. */
  actions: ReactNode;
  /** Its history, at the side. */
  history?: ReactNode;
  /** What is below says by itself how it is laid out, in parts for example. */
  whole?: true;
  children: ReactNode;
};

/** One user, room or other thing on a page of its own: who or what it is, what can be done, what it is connected with. */
export function SubjectPage({ name, id, badges, asked, actions, history, whole, children }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  const warning = nameWarning(name);
  const { history: entries } = useRouter();
  // Its parts have entries of their own: the way back leads to before the first of them.
  const [cameAt] = useState(() => entries.location.state.__TSR_index);
  const [isSelecting, setSelecting] = useState(false);
  useCommands(
    cameAt > 0 && !isSelecting
      ? [
          {
            id: 'back',
            label: i18n.t('Back'),
            group: i18n.t('Navigation'),
            keys: ['Escape'],
            run: () => entries.go(Math.min(-1, cameAt - 1 - entries.location.state.__TSR_index)),
          },
        ]
      : [],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
    <section className={classes.page} tabIndex={0} aria-label={name}>
      <header className={classes.heading}>
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
        {asked.error && asked.data !== undefined && (
          <NotUpToDate error={asked.error} since={asked.dataUpdatedAt} onRetry={asked.refetch} />
        )}
        <div className={classes.actions}>
          <KeysAreElsewhere value={isSelecting}>{actions}</KeysAreElsewhere>
        </div>
      </header>
      <TellSelecting value={setSelecting}>
        {whole ? children : <SubjectColumns history={history}>{children}</SubjectColumns>}
      </TellSelecting>
    </section>
  );
}

/** What is read from top to bottom, with its history at the side. */
export function SubjectColumns({ history, children }: { history: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.main}>{children}</div>
      <div className={classes.side}>{history}</div>
    </div>
  );
}

/** A list or a text that has the rest of the window and scrolls by itself. */
export function SubjectList({ children }: { children: ReactNode }) {
  return <div className={classes.list}>{children}</div>;
}

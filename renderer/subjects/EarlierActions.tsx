import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { nameOfAction } from '../actions/action-words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { shortId } from '../components/short-id.ts';
import { useServer } from '../console-context.ts';
import type { TeamEntry } from '../team/entries.ts';
import { useTeam } from '../team/use-team.ts';
import { serverName } from '../transport/server-name.ts';
import { clipped } from '../words/beginning.ts';
import classes from './subjects.module.css';
import { useReportsOn } from './use-reports-on.ts';

const mostListed = 30;

/** What the team did about a person before, and noted. */
export function EarlierActions({ userId }: { userId: string }) {
  const entries = useTeam().history([{ kind: 'user', userId }], useReportsOn(userId));
  if (entries.length === 0) {
    return <span className={classes.dim}>{i18n.t('No team actions or notes')}</span>;
  }
  return (
    <Disclosure
      label={i18n.t('{count, plural, one {# entry} other {# entries}}', { count: entries.length })}
      facts={
        <>
          {i18n.t('latest')} <RelativeTime timestamp={entries[0]?.at ?? 0} long />
        </>
      }
    >
      <ul className={classes.entries}>
        {entries.slice(0, mostListed).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own
          <li key={index}>
            <span>{whatOf(entry)}</span>
            <span className={classes.dim}>
              <By userId={entry.by} /> · <RelativeTime timestamp={entry.at} long />
            </span>
            <span>
              <HazardText text={clipped(textOf(entry), 500)} />
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function textOf(entry: TeamEntry): string {
  if (entry.type === 'mark') return '';
  return (entry.type === 'note' ? entry.text : entry.reason) ?? '';
}

function whatOf(entry: TeamEntry): string {
  if (entry.type === 'note') return i18n.t('Note');
  if (entry.type === 'mark') return i18n.t('Escalated report {id}', { id: entry.reportId });
  const action = nameOfAction(entry);
  switch (entry.outcome) {
    case 'done':
      return action;
    case 'failed':
      return i18n.t('{action} (failed)', { action });
    case 'undone':
      return i18n.t('{action} (undone)', { action });
  }
}

function By({ userId }: { userId: string }) {
  const { connection } = useServer();
  return (
    <Trans
      id="by {user}"
      values={{ user: <HazardText text={clipped(shortId(userId, serverName(connection)))} /> }}
    />
  );
}

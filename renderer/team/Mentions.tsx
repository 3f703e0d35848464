import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { CloseButton } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Subject } from '../../shared/team/entries.ts';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { useStoreValue } from '../subscribers.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { ReportLink } from './DeletedReports.tsx';
import classes from './Mentions.module.css';
import { readMentions } from './mentions.ts';
import { reportInSentence } from './report-names.ts';
import { useTeamValue } from './use-team.ts';

const maxShown = 3;
/** Hides old mentions on a new device. */
const maxAgeMs = 14 * 24 * 3_600_000;
const maxDismissed = 500;

/** Lists unread notes that mention the user. */
export function Mentions() {
  const server = useServer();
  const { connection } = server;
  const read = readMentions(server);
  const readIds = useStoreValue(read, read.read);
  const mentions = useTeamValue((team) => team.mentions);
  const unread = mentions.filter(({ id, at }) => !readIds.includes(id) && at > Date.now() - maxAgeMs);
  if (unread.length === 0) return null;
  const dismiss = (ids: readonly string[]) => read.write([...ids, ...read.read()].slice(0, maxDismissed));
  return (
    <aside className={classes.mentions} aria-label={i18n.t('Mentions')}>
      <ul>
        {unread.slice(0, maxShown).map(({ id, by, at, subject, text }) => (
          <li key={id}>
            <IconAt size={15} stroke={1.7} aria-hidden />
            <span>
              <Trans
                id="<0/> mentioned you on <1/>"
                components={{
                  0: <HazardText text={shortId(by, serverName(connection))} />,
                  1: <SubjectLink subject={subject} onOpen={() => dismiss([id])} />,
                }}
              />{' '}
              <span className={classes.time}>
                <RelativeTime timestamp={at} long />
              </span>{' '}
              <span className={classes.text} dir="auto">
                <HazardText text={ellipsize(text, 160)} />
              </span>
            </span>
            <CloseButton size="xs" aria-label={i18n.t('Dismiss mention')} onClick={() => dismiss([id])} />
          </li>
        ))}
      </ul>
      {unread.length > maxShown && (
        <button type="button" onClick={() => dismiss(unread.map(({ id }) => id))}>
          {i18n.t('Dismiss all {count}', { count: unread.length })}
        </button>
      )}
    </aside>
  );
}

type LinkProps = { subject: Subject; onOpen: () => void };

function SubjectLink({ subject, onOpen }: LinkProps): ReactNode {
  switch (subject.kind) {
    case 'report':
    case 'user_report':
    case 'room_report':
      return (
        <ReportLink kind={subject.kind} id={subject.id} onClick={onOpen}>
          {reportInSentence(subject)}
        </ReportLink>
      );
    case 'user':
      return (
        <Link to="/users/$userId" params={{ userId: subject.userId }} onClick={onOpen}>
          <HazardText text={ellipsize(subject.userId, 100)} />
        </Link>
      );
    case 'event':
    case 'room':
      return (
        <Link to="/rooms/$roomId" params={{ roomId: subject.roomId }} onClick={onOpen}>
          <HazardText text={ellipsize(subject.roomId, 100)} />
        </Link>
      );
  }
}

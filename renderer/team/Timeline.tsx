import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconBolt,
  IconEyeCheck,
  IconFlag,
  IconFolder,
  IconNote,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type {
  ActionEntry,
  Mark,
  ReportKind,
  Subject,
  TeamEntry,
  Verdict,
} from '../../shared/team/entries.ts';
import { subjectsOf } from '../../shared/team/fold.ts';
import { policyKind, policyName } from '../../shared/team/policies.ts';
import { removeStrike } from '../../shared/team/strikes.ts';
import { roomQuery } from '../api/room.ts';
import { FoldedText } from '../components/FoldedText.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { DisplayName, maxNameLength } from '../components/Identity.tsx';
import { useDwelledInView } from '../components/in-view.ts';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId, truncate } from '../words/clip.ts';
import { ActionSentence } from './ActionSentence.tsx';
import { useAccountName } from './account-names.ts';
import { caseChangeSentence } from './case-words.ts';
import { DeletedReports, ReportLink } from './DeletedReports.tsx';
import { detailText } from './detail-words.ts';
import { NoteField } from './NoteField.tsx';
import { RecordAppeal } from './RecordAppeal.tsx';
import { reportInSentence } from './report-names.ts';
import { SubjectLink } from './SubjectLink.tsx';
import { TeamNotice } from './TeamNotice.tsx';
import classes from './Timeline.module.css';
import { useTeam } from './use-team.ts';
import { verdictName } from './verdicts.ts';

/** A report on the subject. `at` is in milliseconds since the Unix epoch. */
type FiledReport = { id: number; by: string; at: number; reason?: string | null };

type Props = {
  /** New notes are on this subject. */
  subject: Subject;
  /** Subjects whose entries are shown too. */
  related?: readonly Subject[];
  /** Event reports on the subject, whose notes and escalations are shown too. */
  reportIds?: ReadonlySet<number>;
  /** Reports to show among the entries. */
  reports?: readonly FiledReport[];
  /** Default: the action's name in the log. */
  actionLabel?: (entry: ActionEntry) => string;
};

type Item = TeamEntry | ({ type: 'report'; onUser: boolean } & FiledReport);

const initialCount = 20;

/** A subject's activity, newest first, with a note field. */
export function Timeline({ subject, related: also = [], reportIds, reports = [], actionLabel }: Props) {
  const team = useTeam();
  const items: Item[] = [
    ...team.history([subject, ...also], reportIds),
    ...reports.map((report) => ({
      type: 'report' as const,
      onUser: subject.kind === 'user_report',
      ...report,
    })),
  ].sort((a, b) => b.at - a.at);
  return (
    <Activity items={items} subject={subject} actionLabel={actionLabel}>
      <NoteField key={JSON.stringify(subject)} subject={subject} about={also} />
    </Activity>
  );
}

/** A file's activity, newest first. It's logged with the uploader, event or room; the details start with the file. */
export function FileTimeline({ uri, actionLabel }: { uri: string } & Pick<Props, 'actionLabel'>) {
  const items = useTeam().entries.flatMap((entry): Item[] => {
    if (entry.type !== 'action') return [];
    const [file, ...detail] = entry.detail?.split('\n') ?? [];
    return file === uri ? [{ ...entry, detail: detail.join('\n') }] : [];
  });
  return <Activity items={items} actionLabel={actionLabel} />;
}

type ActivityProps = {
  items: readonly Item[];
  subject?: Subject;
  actionLabel: Props['actionLabel'];
  children?: ReactNode;
};

function Activity({ items, subject, actionLabel, children }: ActivityProps) {
  const [all, setAll] = useState(false);
  const headingId = useId();
  const shown = all ? items : items.slice(0, initialCount);
  return (
    <section className={classes.root} aria-labelledby={headingId}>
      <h2 className={classes.heading} id={headingId}>
        {i18n.t('Activity')}
      </h2>
      {children}
      {items.length === 0 ? (
        <p className={classes.nothing}>{i18n.t('No activity yet')}</p>
      ) : (
        <ol className={classes.list}>
          {shown.map((item, index) => (
            <Entry
              // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, as new entries are first
              key={`${item.type} ${items.length - index}`}
              item={item}
              subject={subject}
              actionLabel={actionLabel}
            />
          ))}
        </ol>
      )}
      {items.length > shown.length && (
        <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
          {i18n.t('Show all {count}', { count: items.length })}
        </UnstyledButton>
      )}
      <TeamNotice />
    </section>
  );
}

type EntryProps = { item: Item; subject: Subject | undefined; actionLabel: Props['actionLabel'] };

function Entry({ item, subject, actionLabel }: EntryProps) {
  const other = otherReport(subject, item);
  const { icon, what, text, measures } = describe(item, actionLabel, other);
  return (
    <li className={classes.entry}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div className={classes.body}>
        <p className={classes.line}>
          <Person userId={item.by} />{' '}
          <span className={classes.what}>{other ? <ReportLink {...other}>{what}</ReportLink> : what}</span>{' '}
          <span className={classes.time}>
            <RelativeTime timestamp={item.at} long />
          </span>
        </p>
        {measures && <Measures entry={measures} />}
        {text && (item.type === 'report' ? <Excerpt text={text} /> : <Words text={text} />)}
        {item.type === 'action' && subject && <DeletedReports entry={item} subject={subject} />}
        {item.type === 'action' && <RecordAppeal entry={item} />}
      </div>
    </li>
  );
}

/** The full reason is shown above the timeline. */
function Excerpt({ text }: { text: string }) {
  return (
    <p className={classes.excerpt} title={text}>
      <HazardText text={truncate(text.trim().replace(/\s+/g, ' '), 300)} />
    </p>
  );
}

/** Texts up to this length, in characters, aren't folded. */
const unfoldedLength = 600;

function Words({ text }: { text: string }) {
  const words = (shown: string) => (
    <p className={classes.text} dir="auto">
      <HazardText text={shown} />
    </p>
  );
  return text.length <= unfoldedLength ? words(text) : <FoldedText text={text}>{words}</FoldedText>;
}

/** Renders a room's name, if it's loaded, or else its ID. */
export function Room({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return (
    <span className={classes.what} title={roomId}>
      <HazardText text={data?.name || data?.canonical_alias || roomId} />
    </span>
  );
}

/** Renders a user by name, once it's loaded, and ID. */
export function Person({ userId }: { userId: string }) {
  const { connection } = useServer();
  const [ref, isSeen] = useDwelledInView();
  const name = useAccountName(userId, isSeen);
  const id = <HazardText text={shortId(userId, serverName(connection))} />;
  return (
    <span ref={ref} title={userId}>
      <strong className={classes.person}>
        {name ? <DisplayName name={ellipsize(name, maxNameLength)} /> : id}
      </strong>
      {name && <span className={classes.id}> {id}</span>}
    </span>
  );
}

type Description = {
  icon: ReactNode;
  what: ReactNode;
  text?: string | undefined;
  /** The entry whose policy and strike are shown. */
  measures?: ActionEntry | undefined;
};

/** Returns the report that an entry is on, unless this is that report's timeline. */
function otherReport(subject: Subject | undefined, item: Item): { kind: ReportKind; id: number } | undefined {
  if (item.type === 'mark') {
    const { of: kind = 'report', reportId: id } = item;
    return subject?.kind === kind && subject.id === id ? undefined : { kind, id };
  }
  if (item.type !== 'note' || !('id' in item.subject)) return undefined;
  const isHere = subjectsOf(item).some(
    (each) =>
      'id' in each && subject && 'id' in subject && each.kind === subject.kind && each.id === subject.id,
  );
  return isHere ? undefined : item.subject;
}

/** Actions on a user in a room have the room ID as their detail. */
export const roomOf = ({ detail }: Pick<ActionEntry, 'detail'>) =>
  /^![^\s:]+(:\S+)?$/.test(detail ?? '') ? detail : undefined;

const small = { size: 14, stroke: 1.7 };

/** @param other the other report that the entry is on */
export function describe(
  item: Item,
  actionLabel: Props['actionLabel'],
  other: ReturnType<typeof otherReport>,
): Description {
  const report = other ? reportInSentence(other) : i18n.t('this');
  switch (item.type) {
    case 'report':
      return {
        icon: <IconFlag {...small} />,
        what: item.onUser
          ? i18n.t('reported this user (report {id})', { id: item.id })
          : i18n.t('reported this (report {id})', { id: item.id }),
        text: item.reason || undefined,
      };
    case 'note':
      return {
        icon: <IconNote {...small} />,
        what: other ? i18n.t('added a note to {report}', { report }) : i18n.t('added a note'),
        text: item.text,
      };
    case 'mark':
      if (item.count) return { icon: <IconEyeCheck {...small} />, what: manyMarked(item, item.count) };
      switch (item.state) {
        case 'reviewed':
          return { icon: <IconEyeCheck {...small} />, what: <Resolved mark={item} report={report} /> };
        case 'escalated':
          // An undone action leaves its report escalated, as it was before.
          if (item.seen === 'reviewed') {
            return {
              icon: <IconArrowBackUp {...small} />,
              what: i18n.t('reopened {report} as escalated', { report }),
            };
          }
          return {
            icon: <IconArrowUpRight {...small} />,
            what: i18n.t('escalated {report}', { report }),
          };
        case 'open':
          return { icon: <IconArrowBackUp {...small} />, what: i18n.t('reopened {report}', { report }) };
      }
      break;
    case 'case':
      return { icon: <IconFolder {...small} />, what: caseChangeSentence(item) };
    case 'action':
      return {
        icon: <IconBolt {...small} />,
        what: <Done entry={item} label={actionLabel?.(item) ?? item.action} />,
        text: [item.reason, !roomOf(item) && detailText(item)].filter(Boolean).join('\n') || undefined,
        measures: item,
      };
  }
}

function Done({ entry, label }: { entry: ActionEntry; label: string }) {
  const room = roomOf(entry);
  return (
    <ActionSentence
      entry={entry}
      label={label}
      name={<SubjectLink subject={entry.subject} />}
      room={room && <Room roomId={room} />}
    />
  );
}

/** The policy that an action is based on, and the strike that it added. */
function Measures({ entry: { policy, strike, action, outcome } }: { entry: ActionEntry }) {
  const documents = useTeam().documents(policyKind);
  const isAdded = strike && outcome === 'done' && action !== removeStrike;
  const parts = [
    policy !== undefined && policyName(documents, policy),
    isAdded && i18n.t('{count, plural, one {# strike} other {# strikes}}', { count: strike.weight }),
  ].filter((part) => part !== false && part !== undefined);
  return parts.length > 0 && <Words text={parts.join(' · ')} />;
}

/** Describes the marks of all reports of a case. */
function manyMarked({ state, verdict }: Pick<Mark, 'state' | 'verdict'>, count: number): string {
  switch (state) {
    case 'reviewed': {
      const done = i18n.t('resolved {count, plural, one {# report} other {# reports}}', { count });
      return verdict ? `${done} · ${verdictName(verdict)}` : done;
    }
    case 'escalated':
      return i18n.t('escalated {count, plural, one {# report} other {# reports}}', { count });
    case 'open':
      return i18n.t('reopened {count, plural, one {# report} other {# reports}}', { count });
  }
}

type ResolvedProps = { mark: Pick<Mark, 'verdict' | 'policy'>; report: string };

function Resolved({ mark: { verdict, policy }, report }: ResolvedProps) {
  const documents = useTeam().documents(policyKind);
  return (
    <>
      {resolvedAs(verdict, report)}
      {policy !== undefined && (
        <>
          {' · '}
          <HazardText text={truncate(policyName(documents, policy), 100)} />
        </>
      )}
    </>
  );
}

function resolvedAs(verdict: Verdict | undefined, report: string): string {
  switch (verdict) {
    case undefined:
      return i18n.t('resolved {report}', { report });
    case 'upheld':
      return i18n.t('resolved {report} as upheld', { report });
    case 'not_upheld':
      return i18n.t('resolved {report} as not upheld', { report });
    case 'duplicate':
      return i18n.t('resolved {report} as a duplicate', { report });
  }
}

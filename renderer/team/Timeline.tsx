import { i18n } from '@lingui/core';
import { Textarea, UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowUpRight,
  IconBolt,
  IconEyeCheck,
  IconFlag,
  IconNote,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { roomQuery } from '../api/room.ts';
import { SubmitButton, submitKeys } from '../components/ConfirmForm.tsx';
import { FoldedText } from '../components/FoldedText.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { serverName } from '../transport/server-name.ts';
import { shortId, truncate } from '../words/clip.ts';
import { DeletedReports, ReportLink } from './DeletedReports.tsx';
import { type ActionEntry, longestNote, type ReportKind, type Subject, type TeamEntry } from './entries.ts';
import { subjectsOf } from './fold.ts';
import { noteDrafts } from './note-drafts.ts';
import { TeamNotice } from './TeamNotice.tsx';
import classes from './Timeline.module.css';
import { useTeam } from './use-team.ts';

/** A report on the subject, as far as its history tells of it. `at` is in milliseconds since the Unix epoch. */
type FiledReport = { id: number; by: string; at: number; reason?: string | null };

type Props = {
  /** What notes are about. */
  subject: Subject;
  /** What belongs to its history, too. */
  also?: readonly Subject[];
  /** Reports on events that are on the subject, in whose notes and escalations its history shares. */
  reportIds?: ReadonlySet<number>;
  /** The reports that the history begins with, or is interspersed with. */
  reports?: readonly FiledReport[];
  /** What an action is called; its name in the log where nobody knows better. */
  nameOfAction?: (entry: ActionEntry) => string;
};

type Item = TeamEntry | ({ type: 'report'; onUser: boolean } & FiledReport);

const shownAtFirst = 20;

/** What happened to a subject, by whom, newest first, with the field for a note at its top. */
export function Timeline({ subject, also = [], reportIds, reports = [], nameOfAction }: Props) {
  const team = useTeam();
  const [all, setAll] = useState(false);
  const headingId = useId();
  const items: Item[] = [
    ...team.history([subject, ...also], reportIds),
    ...reports.map((report) => ({
      type: 'report' as const,
      onUser: subject.kind === 'user_report',
      ...report,
    })),
  ].sort((a, b) => b.at - a.at);
  const shown = all ? items : items.slice(0, shownAtFirst);

  return (
    <section className={classes.root} aria-labelledby={headingId}>
      <h2 className={classes.heading} id={headingId}>
        {i18n.t('Activity')}
      </h2>
      <NoteField key={JSON.stringify(subject)} subject={subject} about={also} />
      {items.length === 0 ? (
        <p className={classes.nothing}>{i18n.t('No activity yet')}</p>
      ) : (
        <ol className={classes.list}>
          {shown.map((item, index) => (
            <Entry
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own; the time tells most apart
              key={`${item.at} ${item.type} ${index}`}
              item={item}
              subject={subject}
              nameOfAction={nameOfAction}
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

function NoteField({ subject, about }: { subject: Subject; about: readonly Subject[] }) {
  const team = useTeam();
  const drafts = noteDrafts(useServer());
  const [text, setText] = useState(drafts.of(subject));

  function type(next: string) {
    setText(next);
    drafts.keep(subject, next);
  }
  function add(event: FormEvent) {
    event.preventDefault();
    const note = text.trim();
    if (!note) return;
    team.note(subject, note, { ...(about.length > 0 && { about: [...about] }) });
    type('');
  }
  return (
    <form className={classes.note} onSubmit={add} onKeyDown={submitKeys(true)}>
      <Textarea
        aria-label={i18n.t('Note')}
        placeholder={i18n.t('Add a note…')}
        rows={1}
        classNames={{ input: classes.field }}
        maxLength={longestNote}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      {text.trim() && <SubmitButton multiline>{i18n.t('Add note')}</SubmitButton>}
    </form>
  );
}

type EntryProps = { item: Item; subject: Subject; nameOfAction: Props['nameOfAction'] };

function Entry({ item, subject, nameOfAction }: EntryProps) {
  const other = reportOtherThan(subject, item);
  const { icon, what, text, room } = describe(item, nameOfAction, other?.id);
  return (
    <li className={classes.entry}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div className={classes.body}>
        <p className={classes.line}>
          <Person userId={item.by} />{' '}
          <span className={classes.what}>{other ? <ReportLink {...other}>{what}</ReportLink> : what}</span>{' '}
          {room && <Room roomId={room} />}{' '}
          <span className={classes.time}>
            <RelativeTime timestamp={item.at} long />
          </span>
        </p>
        {text && (item.type === 'report' ? <Excerpt text={text} /> : <Words text={text} />)}
        {item.type === 'action' && <DeletedReports entry={item} subject={subject} />}
      </div>
    </li>
  );
}

/** The beginning of a reason, which stands in full above the history. */
function Excerpt({ text }: { text: string }) {
  return (
    <p className={classes.excerpt} title={text}>
      <HazardText text={truncate(text.trim().replace(/\s+/g, ' '), 300)} />
    </p>
  );
}

/** So much of a note or a reason is never folded, in characters. */
const short = 600;

function Words({ text }: { text: string }) {
  const words = (shown: string) => (
    <p className={classes.text} dir="auto">
      <HazardText text={shown} />
    </p>
  );
  return text.length <= short ? words(text) : <FoldedText text={text}>{words}</FoldedText>;
}

/** By its name, where the server still knows it. */
function Room({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return (
    <span className={classes.what} title={roomId}>
      <HazardText text={data?.name || data?.canonical_alias || roomId} />
    </span>
  );
}

function Person({ userId }: { userId: string }) {
  const { connection } = useServer();
  return (
    <strong className={classes.person} title={userId}>
      <HazardText text={shortId(userId, serverName(connection))} />
    </strong>
  );
}

type Description = {
  icon: ReactNode;
  what: string;
  text?: string | undefined;
  /** Where it was done. */
  room?: string | undefined;
};

/** The report that a note is on or that was escalated, where it isn't the one whose history this is. */
function reportOtherThan(subject: Subject, item: Item): { kind: ReportKind; id: number } | undefined {
  if (item.type === 'mark') {
    const { of: kind = 'report', reportId: id } = item;
    return subject.kind === kind && subject.id === id ? undefined : { kind, id };
  }
  if (item.type !== 'note' || !('id' in item.subject)) return undefined;
  const isHere = subjectsOf(item).some(
    (each) => 'id' in each && 'id' in subject && each.kind === subject.kind && each.id === subject.id,
  );
  return isHere ? undefined : item.subject;
}

/** What is done to someone in a room has that room for its detail. */
const roomOf = ({ detail }: ActionEntry) => (/^![^\s:]+(:\S+)?$/.test(detail ?? '') ? detail : undefined);

const small = { size: 14, stroke: 1.7 };

/** @param id the other report that the entry is on */
function describe(item: Item, nameOfAction: Props['nameOfAction'], id: number | undefined): Description {
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
        what: id === undefined ? i18n.t('added a note') : i18n.t('added a note to report {id}', { id }),
        text: item.text,
      };
    case 'mark':
      switch (item.state) {
        case 'reviewed':
          return { icon: <IconEyeCheck {...small} />, what: i18n.t('resolved this') };
        case 'escalated':
          // An undone action leaves its report escalated, as it was before.
          if (item.seen === 'reviewed') {
            return {
              icon: <IconArrowBackUp {...small} />,
              what:
                id === undefined
                  ? i18n.t('reopened this as escalated')
                  : i18n.t('reopened report {id} as escalated', { id }),
            };
          }
          return {
            icon: <IconArrowUpRight {...small} />,
            what: id === undefined ? i18n.t('escalated this') : i18n.t('escalated report {id}', { id }),
          };
        case 'open':
          return { icon: <IconArrowBackUp {...small} />, what: i18n.t('reopened this') };
      }
      break;
    case 'action':
      return {
        icon: <IconBolt {...small} />,
        what: outcomeSentence(item, nameOfAction?.(item) ?? item.action),
        text: [item.reason, !roomOf(item) && item.detail].filter(Boolean).join('\n') || undefined,
        room: roomOf(item),
      };
  }
}

function outcomeSentence({ outcome }: ActionEntry, action: string): string {
  switch (outcome) {
    case 'done':
      return i18n.t('“{action}” done', { action });
    case 'failed':
      return i18n.t('“{action}” failed', { action });
    case 'undone':
      return i18n.t('“{action}” undone', { action });
  }
}

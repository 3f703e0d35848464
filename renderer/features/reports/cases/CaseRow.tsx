import { i18n } from '@lingui/core';
import { IconClockExclamation, IconClockPause, IconEye, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { isWatched } from '../../../../shared/team/cases.ts';
import { roomQuery } from '../../../api/room.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { maxNameLength } from '../../../components/Identity.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { StateMark } from '../../../components/State.tsx';
import { useServer } from '../../../console-context.ts';
import { useAccountName } from '../../../team/account-names.ts';
import { severityName } from '../../../team/case-words.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { severityState } from '../../../team/severity-state.ts';
import { ViewersOfAny } from '../../../team/Viewers.tsx';
import { ellipsize, truncate } from '../../../words/clip.ts';
import rowClasses from '../desk/Row.module.css';
import { firstLine, StateSign } from '../desk/Row.tsx';
import { Person } from '../ReportRow.tsx';
import classes from './Cases.module.css';
import type { CaseRow as Row } from './cases.ts';

export const caseRowId = (key: string) => `case-${key}`;

type Props = {
  row: Row;
  isOverdue: boolean;
  /** The message that was reported most, if loaded. */
  message: string | undefined;
  /** Name of the word list that has a reported file. */
  fileList: string | undefined;
  position: number;
  total: number;
  isCurrent: boolean;
  start: number;
  onPress: (key: string) => void;
};

/** The message, then the user and the room, then the reason. Without message and room, the reason moves up. */
export const CaseRow = memo(function CaseRow({ row, message, ...props }: Props) {
  const { subject, state, reports, unresolved } = row;
  const newest = unresolved[0] ?? reports[0];
  const { event } = row.lead;
  const given = firstLine(newest.reason);
  const reason = (
    <span
      className={rowClasses.reason}
      data-empty={given === undefined || undefined}
      title={truncate(newest.reason, 1000)}
    >
      <HazardText text={given ?? i18n.t('No reason given')} />
    </span>
  );
  const room = event && (event.name ?? event.canonical_alias ?? event.room_id);
  const lead = message && firstLine(message);
  return (
    // The listbox has the focus and handles keys; options are only clicked.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the listbox
    <div
      role="option"
      tabIndex={-1}
      id={caseRowId(row.key)}
      className={rowClasses.row}
      style={{ transform: `translateY(${props.start}px)` }}
      aria-selected={props.isCurrent}
      aria-current={props.isCurrent || undefined}
      aria-posinset={props.position}
      aria-setsize={props.total}
      data-state={state === 'resolved' ? 'reviewed' : state}
      onClick={() => props.onPress(row.key)}
    >
      <span className={classes.rowSign}>
        <StateSign state={state === 'escalated' ? 'escalated' : state === 'open' ? 'open' : undefined} />
      </span>
      <span className={rowClasses.body}>
        <span className={rowClasses.line}>
          {lead ? (
            <span className={classes.message} title={lead}>
              <HazardText text={lead} />
            </span>
          ) : (
            <Subject subject={subject} />
          )}
          <ViewersOfAny reports={reports} />
          <span className={rowClasses.when}>
            <RelativeTime timestamp={newest.at} />
          </span>
        </span>
        <span className={classes.second}>
          {lead && <Subject subject={subject} isSecond />}
          {room ? (
            <span className={classes.room} title={room}>
              <HazardText text={room} />
            </span>
          ) : (
            !lead && reason
          )}
          <Marks row={row} isOverdue={props.isOverdue} fileList={props.fileList} />
        </span>
        <span className={classes.second}>
          {(lead || room) && reason}
          <span className={classes.count}>{countsOf(row)}</span>
        </span>
      </span>
    </div>
  );
});

/** Renders the number of reports and of reporters. */
export function countsOf({ reports, unresolved, reporters }: Row): string {
  const count = unresolved.length || reports.length;
  const counted = i18n.t('{count, plural, one {# report} other {# reports}}', { count });
  return reporters === count
    ? counted
    : `${counted} ${i18n.t('by {count, plural, one {# user} other {# users}}', { count: reporters })}`;
}

/** The reasons for its position: severity or the rule that sets it, state and assignee. */
function Marks({ row, isOverdue, fileList }: Pick<Props, 'row' | 'isOverdue' | 'fileList'>) {
  const { decisions, ruled, state, isRepeated } = row;
  const { severity, assignee } = decisions;
  const reason = ellipsize(
    fileList !== undefined
      ? i18n.t('Known file: {list}', { list: fileList })
      : ruled
        ? ruleName(ruled.rule)
        : '',
    60,
  );
  return (
    <span className={classes.marks}>
      {isOverdue && (
        <StateMark
          isSmall
          tone="danger"
          icon={IconClockExclamation}
          words={i18n.t('Overdue')}
          when={i18n.t('Past the target time of its queue')}
        />
      )}
      {severity && <StateMark isSmall {...severityState(severity)} />}
      {ruled && !severity && (
        <span className={classes.rule}>
          <StateMark
            isSmall
            {...severityState(ruled.severity)}
            when={`${severityName(ruled.severity)} · ${reason}`}
          >
            <HazardText text={reason} />
          </StateMark>
        </span>
      )}
      {isWatched(decisions, Date.now()) && (
        <StateMark isSmall tone="warning" icon={IconEye} words={i18n.t('On watch list')} />
      )}
      {state === 'waiting' && (
        <StateMark isSmall tone="neutral" icon={IconClockPause} words={i18n.t('Waiting')} />
      )}
      {isRepeated && <StateMark isSmall tone="info" icon={IconRepeat} words={i18n.t('Reported again')} />}
      {assignee && <Assignee userId={assignee} />}
    </span>
  );
}

function Assignee({ userId }: { userId: string }) {
  const name = useAccountName(userId);
  const label = i18n.t('Assigned to {name}', {
    name: name ? `${ellipsize(name, maxNameLength)} (${userId})` : userId,
  });
  return (
    <span title={label} className={classes.assignee}>
      <Avatar id={userId} name={name} size={16} />
      <span className={classes.hidden}>{label}</span>
    </span>
  );
}

type SubjectProps = { subject: Row['subject']; isSecond?: boolean };

export function Subject({ subject, isSecond = false }: SubjectProps) {
  const className = isSecond ? classes.secondSubject : rowClasses.subject;
  switch (subject.kind) {
    case 'user':
      return <Person id={subject.userId} isSecond={isSecond} />;
    case 'room':
      return <Room roomId={subject.roomId} className={className} />;
    case 'event':
      return <em className={className}>{i18n.t('Unknown sender')}</em>;
  }
}

function Room({ roomId, className }: { roomId: string; className: string | undefined }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  const name = data?.name || data?.canonical_alias || roomId;
  return (
    <>
      <Avatar id={roomId} name={name === roomId ? undefined : name} size={18} />
      <span className={className} title={roomId}>
        <HazardText text={ellipsize(name, 100)} />
      </span>
    </>
  );
}

import { i18n } from '@lingui/core';
import { Button, Kbd } from '@mantine/core';
import { IconArchive, IconClockExclamation, IconClockPause, IconFlag, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type CaseChange, type Severity, severities } from '../../../../shared/team/entries.ts';
import { roomQuery } from '../../../api/room.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { StateMark } from '../../../components/State.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { WatchMenu } from '../../../subjects/WatchMenu.tsx';
import { useAccountName, useAccountNames } from '../../../team/account-names.ts';
import { severityName } from '../../../team/case-words.ts';
import { severityState } from '../../../team/severity-state.ts';
import { useColleagues } from '../../../team/use-colleagues.ts';
import { AlsoViewing } from '../../../team/Viewers.tsx';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { list, mediumTimeFormat } from '../../../words/format.ts';
import { countsOf } from './CaseRow.tsx';
import classes from './Cases.module.css';
import type { CaseRow } from './cases.ts';
import { KeyMenu } from './KeyMenu.tsx';
import { dueAt, isPending } from './team-queues.ts';

export type CaseMenu = 'severity' | 'assignee' | 'snooze';

type OnDecide = (change: CaseChange, text: string) => void;

type Props = {
  row: CaseRow;
  now: number;
  menu: CaseMenu | undefined;
  onMenu: (menu: CaseMenu | undefined) => void;
  onDecide: OnDecide;
  onAssign: () => void;
  onHold: () => void;
  isHolding: boolean;
};

const sign = { size: 14, stroke: 1.7 };

/** A case's subject, its state, and the team's decisions about it. */
export function CaseStrip({ row, now, menu, onMenu, onDecide, onAssign, onHold, isHolding }: Props) {
  const { connection } = useServer();
  const { commands } = useConsole();
  const me = connection.userId;
  const { subject, decisions } = row;
  const { severity, assignee } = decisions;
  const colleagues = useColleagues();
  // Members of its queue have the first keys.
  const inQueue = (userId: string) => (row.teamQueue?.people.includes(userId) ? 0 : 1);
  const assignable = [me, ...colleagues.toSorted((one, other) => inQueue(one) - inQueue(other))];
  const assignees = assignable.slice(0, 9);
  const nameOf = useAccountNames(
    [assignee, row.formerAssignee, ...(menu === 'assignee' ? assignees : [])].filter((id) => id != null),
  );
  const opens = (name: CaseMenu) => ({
    opened: menu === name,
    onOpen: (opened: boolean) => onMenu(opened ? name : undefined),
  });
  const assign = (userId: string | null) =>
    onDecide(
      { assignee: userId },
      userId ? i18n.t('Case assigned to {name}', { name: nameOf(userId) }) : i18n.t('Case unassigned'),
    );
  return (
    <section className={classes.strip} aria-label={i18n.t('Case')}>
      <div className={classes.about}>
        {subject.kind === 'user' && <SubjectUser id={subject.userId} />}
        {subject.kind === 'room' && <SubjectRoom id={subject.roomId} />}
        {subject.kind === 'event' && <em>{i18n.t('Unknown sender')}</em>}
        <span className={classes.state} data-state={row.state}>
          {stateText(row)}
        </span>
        <span
          className={`${classes.dim} ${classes.counts}`}
          title={[countsOf(row), kindsOf(row)].filter(Boolean).join(': ')}
        >
          {countsOf(row)}
        </span>
        <QueueState row={row} now={now} />
        {row.formerAssignee && (
          <span className={classes.dim} title={row.formerAssignee}>
            <HazardText text={i18n.t('Claim by {name} expired', { name: nameOf(row.formerAssignee) })} />
          </span>
        )}
        <AlsoViewing reports={row.reports} />
      </div>
      <div className={classes.tools}>
        <KeyMenu
          {...opens('severity')}
          label={i18n.t('Set severity')}
          menuKey="v"
          icon={severity ? <SeverityIcon severity={severity} /> : <IconFlag {...sign} />}
          choices={[
            ...severities.map((each, index) => ({
              key: String(index + 1),
              label: severityName(each),
              isCurrent: each === severity,
              run: () =>
                onDecide(
                  { severity: each },
                  i18n.t('Severity set: {severity}', { severity: severityName(each) }),
                ),
            })),
            {
              key: '0',
              label: i18n.t('No severity'),
              isCurrent: severity === undefined,
              run: () => onDecide({ severity: null }, i18n.t('Severity removed')),
            },
          ]}
        >
          {severity ? severityName(severity) : i18n.t('Severity')}
        </KeyMenu>
        {!assignee && (
          <Button
            variant="default"
            size="compact-sm"
            rightSection={
              commands.keyWorks('a') && (
                <Kbd size="xs" aria-hidden>
                  a
                </Kbd>
              )
            }
            onClick={onAssign}
          >
            {i18n.t('Assign to me')}
          </Button>
        )}
        <KeyMenu
          {...opens('assignee')}
          label={i18n.t('Assign case')}
          menuKey="A"
          icon={
            assignee ? <Avatar id={assignee} name={nameOf(assignee)} size={16} /> : <IconUser {...sign} />
          }
          choices={[
            ...assignees.map((userId, index) => ({
              key: String(index + 1),
              label: <Colleague userId={userId} name={nameOf(userId)} />,
              isCurrent: userId === assignee,
              run: () => assign(userId),
            })),
            {
              key: '0',
              label: i18n.t('No assignee'),
              isCurrent: assignee === undefined,
              run: () => assign(null),
            },
          ]}
        >
          {assignee && (
            <span className={classes.assigneeName} title={assignee}>
              <HazardText text={nameOf(assignee)} />
            </span>
          )}
        </KeyMenu>
        <KeyMenu
          {...opens('snooze')}
          label={i18n.t('Snooze case')}
          menuKey="h"
          icon={<IconClockPause {...sign} />}
          choices={snoozes(row, onDecide)}
        >
          {i18n.t('Snooze')}
        </KeyMenu>
        {subject.kind !== 'event' && <WatchMenu subject={subject} isShort />}
        {row.reports.some(({ of }) => of === 'report') && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconArchive {...sign} />}
            rightSection={
              commands.keyWorks('H') && (
                <Kbd size="xs" aria-hidden>
                  H
                </Kbd>
              )
            }
            loading={isHolding}
            onClick={onHold}
          >
            {i18n.t('Hold evidence')}
          </Button>
        )}
      </div>
    </section>
  );
}

const SubjectUser = ({ id }: { id: string }) => (
  <UserChip kind={i18n.t('Case')} id={id} name={useAccountName(id)} oneLine />
);

function SubjectRoom({ id }: { id: string }) {
  const { data } = useQuery(roomQuery(useServer(), id));
  return <RoomChip kind={i18n.t('Case')} id={id} name={data?.name || data?.canonical_alias} oneLine />;
}

/** Names aren't unique, so the ID is next to them. */
function Colleague({ userId, name }: { userId: string; name: string }) {
  const id = shortId(userId, serverName(useServer().connection));
  return (
    <span title={userId}>
      <HazardText text={name} />
      {id !== name && id !== `@${name}` && (
        <span className={classes.colleagueId}>
          <HazardText text={id} />
        </span>
      )}
    </span>
  );
}

function SeverityIcon({ severity }: { severity: Severity }) {
  const { icon: Icon, tone } = severityState(severity);
  return <Icon {...sign} color={tone === 'neutral' ? undefined : `var(--gh-${tone})`} aria-hidden />;
}

/** The team's queue that the case is in, and its target time. */
function QueueState({ row, now }: Pick<Props, 'row' | 'now'>) {
  const { teamQueue } = row;
  const due = dueAt(row);
  if (!teamQueue || !isPending(row)) return null;
  return (
    <span className={classes.queueState}>
      <HazardText text={teamQueue.name} />
      {due !== undefined &&
        (due < now ? (
          <StateMark
            isSmall
            tone="danger"
            icon={IconClockExclamation}
            words={i18n.t('Overdue since {time}', { time: timeOf(due) })}
          />
        ) : (
          <span className={classes.dim}>{i18n.t('Due {time}', { time: timeOf(due) })}</span>
        ))}
    </span>
  );
}

const timeOf = (timestamp: number) => mediumTimeFormat().format(new Date(timestamp));

function stateText({ state, decisions, isRepeated }: CaseRow): string {
  const quiet =
    (decisions.quietUntil ?? 0) > Date.now()
      ? i18n.t('quiet until {time}', { time: timeOf(decisions.quietUntil ?? 0) })
      : '';
  const name = {
    open: isRepeated ? i18n.t('Reported again') : i18n.t('Open'),
    escalated: i18n.t('Escalated'),
    waiting: i18n.t('Waiting until {time}, or until a new report', {
      time: timeOf(decisions.snoozedUntil ?? 0),
    }),
    resolved: i18n.t('Resolved'),
  }[state];
  return [name, quiet].filter(Boolean).join(' · ');
}

/** Lists the kinds of reports, if there are several. */
function kindsOf({ reports, unresolved }: CaseRow): string {
  const kinds = Map.groupBy(unresolved.length > 0 ? unresolved : reports, ({ of }) => of);
  if (kinds.size < 2) return '';
  const count = (of: 'report' | 'user_report' | 'room_report') => kinds.get(of)?.length ?? 0;
  const [events, users, rooms] = [count('report'), count('user_report'), count('room_report')];
  const parts = [
    events > 0 && i18n.t('{count, plural, one {# event report} other {# event reports}}', { count: events }),
    users > 0 && i18n.t('{count, plural, one {# user report} other {# user reports}}', { count: users }),
    rooms > 0 && i18n.t('{count, plural, one {# room report} other {# room reports}}', { count: rooms }),
  ].filter((part) => part !== false);
  return list(parts);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function snoozes({ decisions }: CaseRow, onDecide: OnDecide) {
  const snooze = (key: string, label: string, until: () => number) => ({
    key,
    label,
    run: () => {
      const time = until();
      onDecide({ snoozedUntil: time }, i18n.t('Case snoozed until {time}', { time: timeOf(time) }));
    },
  });
  const quiet = (key: string, label: string, days: number) => ({
    key,
    label,
    run: () => {
      const time = Date.now() + days * dayMs;
      onDecide({ quietUntil: time }, i18n.t('New reports stay quiet until {time}', { time: timeOf(time) }));
    },
  });
  const isSnoozed = (decisions.snoozedUntil ?? 0) > Date.now();
  const isQuiet = (decisions.quietUntil ?? 0) > Date.now();
  return [
    snooze('1', i18n.t('1 hour'), () => Date.now() + hourMs),
    snooze('2', i18n.t('Until tomorrow'), tomorrow),
    snooze('3', i18n.t('1 week'), () => Date.now() + 7 * dayMs),
    quiet('4', i18n.t('Ignore new reports for a week'), 7),
    quiet('5', i18n.t('Ignore new reports for 30 days'), 30),
    ...(isSnoozed || isQuiet
      ? [
          {
            key: '0',
            label: i18n.t('End snooze'),
            run: () => onDecide({ snoozedUntil: null, quietUntil: null }, i18n.t('Snooze ended')),
          },
        ]
      : []),
  ] satisfies { key: string; label: ReactNode; run: () => void }[];
}

const workdayStart = 9;

/** Returns tomorrow morning, in the local time zone. */
function tomorrow(): number {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  return time.setHours(workdayStart, 0, 0, 0);
}

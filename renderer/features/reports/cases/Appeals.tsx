import { i18n } from '@lingui/core';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { IconCircleCheck, IconCircleDot, IconCircleX, IconScale } from '@tabler/icons-react';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import { type AppealCase, appealedEntry, denyAppeal, upholdAppeal } from '../../../../shared/team/appeals.ts';
import { type ActionEntry, maxReasonLength } from '../../../../shared/team/entries.ts';
import { activeStrikes, removeStrike } from '../../../../shared/team/strikes.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { ActionBar } from '../../../actions/bar/ActionBar.tsx';
import { actionById } from '../../../actions/catalogue/catalogue.ts';
import { undosOf } from '../../../actions/undo-stack.ts';
import { FoldedText } from '../../../components/FoldedText.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { FailureMessage, LoadingNote, StateMessage } from '../../../components/LoadStates.tsx';
import { noticesOf } from '../../../components/notices.ts';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { type State, StateMark } from '../../../components/State.tsx';
import { inSentence } from '../../../components/text-hazards.ts';
import { useServer } from '../../../console-context.ts';
import { UserChip } from '../../../subjects/chips.tsx';
import { DetailSection } from '../../../subjects/DetailSection.tsx';
import { UserDetails } from '../../../subjects/UserDetails.tsx';
import { ActionSentence } from '../../../team/ActionSentence.tsx';
import { useAccountName, useAccountNames } from '../../../team/account-names.ts';
import { Room, roomOf, Timeline } from '../../../team/Timeline.tsx';
import { teamOf } from '../../../team/team-store.ts';
import { useAppeals } from '../../../team/use-appeals.ts';
import { useRoleLimit } from '../../../team/use-role.ts';
import { useTeam, useTeamReading } from '../../../team/use-team.ts';
import type { Server } from '../../../transport/server.ts';
import rowClasses from '../desk/Row.module.css';
import detailClasses from '../detail/ReportDetail.module.css';
import { Subject } from './CaseRow.tsx';
import classes from './Cases.module.css';

export type AppealRow = AppealCase & { key: string };

/** Returns the appeals, undecided ones first. */
export function useSortedAppeals(): AppealRow[] {
  const appeals = useAppeals();
  return useMemo(
    () =>
      appeals
        .toSorted((one, other) => Number(!!one.decision) - Number(!!other.decision))
        .map((appeal) => ({ ...appeal, key: `appeal ${appeal.id}` })),
    [appeals],
  );
}

const icon = <IconScale size={24} stroke={1.5} />;

function stateOf({ decision }: AppealCase): State {
  if (!decision) return { words: i18n.t('Open'), tone: 'info', icon: IconCircleDot };
  return decision.isUpheld
    ? { words: i18n.t('Upheld'), tone: 'success', icon: IconCircleCheck }
    : { words: i18n.t('Denied'), tone: 'neutral', icon: IconCircleX };
}

type ListProps = {
  appeals: readonly AppealRow[];
  current: string | undefined;
  listRef: Ref<HTMLDivElement>;
  onOpen: (key: string) => void;
};

/** Shown in place of an appeal. */
export const NoAppeal = () => (
  <StateMessage icon={icon} title={i18n.t('No appeal open')} description={i18n.t('Choose an appeal.')} />
);

export function AppealList({ appeals, current, listRef, onOpen }: ListProps) {
  const opened = useRef<HTMLButtonElement>(null);
  const reading = useTeamReading();
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another appeal
  useEffect(() => {
    opened.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  if (appeals.length === 0) {
    if (reading.error) return <FailureMessage title={i18n.t("Couldn't load appeals")} query={reading} />;
    if (!reading.isRead) return <LoadingNote text={i18n.t('Loading appeals…')} />;
    return (
      <StateMessage
        icon={icon}
        title={i18n.t('No appeals')}
        description={i18n.t('Record an appeal beside an action under Activity.')}
      />
    );
  }
  return (
    <div ref={listRef} className={classes.list} tabIndex={-1} data-focus-home>
      <ul className={classes.reportList} aria-label={i18n.t('Appeals')}>
        {appeals.map((appeal) => (
          <li key={appeal.key}>
            <UnstyledButton
              ref={appeal.key === current ? opened : undefined}
              className={classes.appeal}
              aria-current={appeal.key === current || undefined}
              data-decided={appeal.decision !== undefined || undefined}
              onClick={() => onOpen(appeal.key)}
            >
              <span className={rowClasses.line}>
                <Subject subject={{ kind: 'user', userId: appeal.userId }} />
                <span className={rowClasses.when}>
                  <RelativeTime timestamp={appeal.at} />
                </span>
              </span>
              <span className={classes.reason}>
                <HazardText text={appeal.text} />
              </span>
              <span className={classes.second}>
                <span className={classes.reason}>
                  <Against appeal={appeal} />
                </span>
                <StateMark isSmall {...stateOf(appeal)} />
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Renders the action that an appeal is against, as in the activity. */
function Against({ appeal: { userId, of }, isLong = false }: { appeal: AppealCase; isLong?: boolean }) {
  const team = useTeam();
  const entry = appealedEntry(team.timeline({ kind: 'user', userId }), of);
  const roomId = entry && roomOf(entry);
  return (
    <>
      <AccountName id={of.by} />{' '}
      <ActionSentence
        entry={entry ?? { action: of.action, outcome: 'done' }}
        label={actionLabel(of)}
        name={<AccountName id={userId} />}
        room={roomId && <Room roomId={roomId} />}
      />{' '}
      <RelativeTime timestamp={of.at} long={isLong} />
    </>
  );
}

const AccountName = ({ id }: { id: string }) => (
  <span title={id}>
    <HazardText text={useAccountNames([id])(id)} />
  </span>
);

export function AppealDetail({ appeal }: { appeal: AppealCase }) {
  const team = useTeam();
  const { userId, of, text, by, at } = appeal;
  const accountName = useAccountName(userId);
  const subject = { kind: 'user', userId } as const;
  const entry = appealedEntry(team.timeline(subject), of);
  return (
    <div className={detailClasses.content}>
      <div className={detailClasses.main}>
        <div className={classes.appealHeading}>
          <h1 className={detailClasses.number}>{i18n.t('Appeal')}</h1>
          <StateMark {...stateOf(appeal)} />
        </div>
        <article className={detailClasses.message}>
          <header className={detailClasses.byline}>
            <UserChip kind={i18n.t('From')} id={userId} name={accountName} large />
            <RelativeTime timestamp={at} long />
          </header>
          <FoldedText text={text} lines={12}>
            {(shown) => (
              <div className={`${detailClasses.said} ${classes.appealText}`} dir="auto">
                <HazardText text={shown} />
              </div>
            )}
          </FoldedText>
        </article>
        <dl className={detailClasses.facts}>
          <dt>{i18n.t('Against')}</dt>
          <dd>
            <Against appeal={appeal} isLong />
            {entry?.reason && (
              <div>
                <HazardText text={entry.reason} />
              </div>
            )}
          </dd>
          <dt>{i18n.t('Recorded by')}</dt>
          <dd>
            <AccountName id={by} />
          </dd>
          {appeal.decision && (
            <>
              <dt>{i18n.t('Decision')}</dt>
              <dd>
                {stateOf(appeal).words} · <AccountName id={appeal.decision.by} /> ·{' '}
                <RelativeTime timestamp={appeal.decision.at} long />
                {appeal.decision.reason !== '' && (
                  <div>
                    <HazardText text={appeal.decision.reason} />
                  </div>
                )}
              </dd>
            </>
          )}
        </dl>
        {appeal.decision ? (
          appeal.decision.isUpheld && <Inverse appeal={appeal} entry={entry} />
        ) : (
          <Decide key={appeal.id} appeal={appeal} entry={entry} />
        )}
      </div>
      <div className={detailClasses.side}>
        <Timeline subject={subject} actionLabel={actionLabel} />
        <DetailSection title={i18n.t('User')} height={15}>
          <UserDetails userId={userId} />
        </DetailSection>
      </div>
    </div>
  );
}

type Props = { appeal: AppealCase; entry: ActionEntry | undefined };

function Decide({ appeal, entry }: Props) {
  const server = useServer();
  const [reason, setReason] = useState('');
  const limit = useRoleLimit('moderator');
  if (limit) return <p role="status">{limit}</p>;
  if (appeal.of.by === server.connection.userId) {
    return (
      <p role="status">{i18n.t('You took this action: another moderator has to decide about the appeal.')}</p>
    );
  }
  const decide = (isUpheld: boolean) => decideAppeal(server, appeal, entry, isUpheld, reason.trim());
  return (
    <div className={classes.appealForm}>
      <TextInput
        size="xs"
        label={i18n.t('Reason (optional)')}
        maxLength={maxReasonLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={classes.appealButtons}>
        <Button size="compact-sm" onClick={() => decide(true)}>
          {i18n.t('Uphold appeal')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => decide(false)}>
          {i18n.t('Deny appeal')}
        </Button>
      </div>
      <p className={classes.dim}>
        {entry?.strike
          ? i18n.t('Upholding removes the strike. Undoing the action is offered afterwards.')
          : i18n.t('Undoing the action is offered after upholding.')}
      </p>
    </div>
  );
}

/** Offers to undo the action, if it can be. */
function Inverse({ appeal: { userId, of }, entry }: Props) {
  const inverse =
    actionById(of.action)?.inverse ?? (of.action === 'deactivate-user' ? 'reactivate-user' : undefined);
  const roomId = entry?.detail?.startsWith('!') ? entry.detail : undefined;
  const on = useMemo(
    () => ({ users: [{ userId }], ...(roomId !== undefined && { members: [{ userId, roomId }] }) }),
    [userId, roomId],
  );
  if (inverse === undefined) return <p className={classes.dim}>{i18n.t("This action can't be undone.")}</p>;
  return <ActionBar on={on} only={[inverse]} />;
}

/** Records the decision; upholding removes the strike. With an undo of both. */
function decideAppeal(
  server: Server,
  { id, userId }: AppealCase,
  entry: ActionEntry | undefined,
  isUpheld: boolean,
  reason: string,
) {
  const team = teamOf(server).snapshot();
  const subject = { kind: 'user', userId } as const;
  const active = activeStrikes(team.timeline(subject), Date.now()).find(({ id }) => id === entry?.strike?.id);
  const strike =
    isUpheld && active ? { id: active.id, weight: active.weight, until: active.until } : undefined;
  const common = { subject, reports: [], ...(reason !== '' && { reason }) };
  const record = (outcome: 'done' | 'undone') =>
    teamOf(server)
      .snapshot()
      .record(
        { ...common, action: isUpheld ? upholdAppeal : denyAppeal, outcome, appeal: { id } },
        ...(strike ? [{ ...common, action: removeStrike, outcome, strike }] : []),
      );
  record('done');
  const undo = () => {
    withdraw();
    hide();
    record('undone');
    noticesOf(server).show({ text: i18n.t('Appeal reopened') });
  };
  const withdraw = undosOf(server).offer(undo);
  const done = isUpheld
    ? strike
      ? i18n.t('Appeal of {name} upheld, strike removed', { name: inSentence(userId) })
      : i18n.t('Appeal of {name} upheld', { name: inSentence(userId) })
    : i18n.t('Appeal of {name} denied', { name: inSentence(userId) });
  const hide = noticesOf(server).show({ text: done, undo, undoLabel: done });
}

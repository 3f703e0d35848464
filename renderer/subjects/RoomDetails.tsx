import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { displayNames } from '../api/event-context.ts';
import { isExpected } from '../api/lenient.ts';
import { type Room, roomBlockQuery, roomMembersQuery, roomQuery, roomStateQuery } from '../api/room.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { QuotedText } from '../components/event/EventReference.tsx';
import { readPowerLevels } from '../components/event/power-levels.ts';
import { FoldedText } from '../components/FoldedText.tsx';
import { HazardText, VisibleText } from '../components/HazardText.tsx';
import { maxNameLength } from '../components/Identity.tsx';
import { useServer } from '../console-context.ts';
import { number } from '../words/format.ts';
import { LoadedUserChip, RoomChip, UserChip } from './chips.tsx';
import { Fact, Facts } from './DetailSection.tsx';
import { Loaded } from './Loaded.tsx';
import { describeRule, historyVisibilities, joinRules } from './room-rules.tsx';
import classes from './subjects.module.css';

const ScheduledFact = lazy(async () => ({ default: (await import('./TeamMeasures.tsx')).ScheduledFact }));

/** Renders a room's facts, power levels and block. */
export function RoomDetails({ roomId, sender }: { roomId: string; sender: string | null }) {
  const server = useServer();
  const query = useQuery(roomQuery(server, roomId));
  return (
    <>
      <Loaded
        query={query}
        loading={i18n.t('Loading room…')}
        lines={8}
        notFound={i18n.t('This room was deleted.')}
      >
        {(room) => (
          <>
            <RoomFacts room={room} />
            <PowerHolders roomId={roomId} stateEvents={room.state_events ?? undefined} sender={sender} />
          </>
        )}
      </Loaded>
      <RoomBlock roomId={roomId} />
      <Suspense>
        <Facts>
          <ScheduledFact subject={{ kind: 'room', roomId }} />
        </Facts>
      </Suspense>
    </>
  );
}

function RoomFacts({ room }: { room: Room }) {
  return (
    <Facts>
      <Fact name={i18n.t('Room')}>
        <RoomChip kind={i18n.t('Room')} id={room.room_id} name={room.name ?? room.canonical_alias} />
      </Fact>
      <RoomAddresses room={room} />
      <RoomTexts room={room} />
      <RoomMembers room={room} />
      <RoomAccess room={room} />
      <Fact name={i18n.t('Created by')}>
        {room.creator && <LoadedUserChip kind={i18n.t('Creator')} id={room.creator} />}
      </Fact>
      <Fact name={i18n.t('Version')}>
        {room.version &&
          (room.federatable === false
            ? i18n.t('{version}, not federated', { version: room.version })
            : room.version)}
      </Fact>
      <RoomSuccessor room={room} />
    </Facts>
  );
}

type RoomProps = { room: Room };

export const RoomAddresses = ({ room }: RoomProps) => (
  <Fact name={i18n.t('Main address')}>
    {room.name && room.canonical_alias && (
      <code>
        <HazardText text={room.canonical_alias} />
      </code>
    )}
  </Fact>
);

/** Renders the topic, and a name that is too long for a heading. */
export const RoomTexts = ({ room }: RoomProps) => (
  <>
    <Fact name={i18n.t('Name')}>
      {room.name && room.name.length > maxNameLength && <FoldedParagraph text={room.name} />}
    </Fact>
    <Fact name={i18n.t('Topic')}>{room.topic && <FoldedParagraph text={room.topic} />}</Fact>
  </>
);

/** A list with more is opened on click only. */
const maxOpened = 50;

/** @param isOpen lists them at once, unless they are many */
export function RoomMembers({ room, isOpen = false }: RoomProps & { isOpen?: boolean }) {
  const { joined_members: joined, joined_local_members: local } = room;
  const label =
    typeof joined === 'number' && typeof local === 'number'
      ? i18n.t('{joined, plural, one {# member} other {# members}}, {local} local', {
          joined,
          local: number(local),
        })
      : i18n.t('Members');
  return (
    <Fact name={i18n.t('Members')}>
      {/* On click: a large room has many. */}
      <Disclosure label={label} isOpenAtFirst={isOpen && (joined ?? maxOpened) < maxOpened}>
        <Members roomId={room.room_id} />
      </Disclosure>
    </Fact>
  );
}

export const RoomAccess = ({ room }: RoomProps) => (
  <>
    <Fact name={i18n.t('Encryption')}>
      {room.encryption ? (
        <Trans
          id="On ({algorithm})"
          values={{
            algorithm: (
              <code>
                <QuotedText text={room.encryption} />
              </code>
            ),
          }}
        />
      ) : (
        i18n.t('Off')
      )}
    </Fact>
    <Fact name={i18n.t('Join rule')}>{describeRule(joinRules, room.join_rules)}</Fact>
    <Fact name={i18n.t('History visibility')}>
      {describeRule(historyVisibilities, room.history_visibility)}
    </Fact>
    <Fact name={i18n.t('Room directory')}>
      {typeof room.public === 'boolean' && (room.public ? i18n.t('Published') : i18n.t('Not published'))}
    </Fact>
  </>
);

export const RoomSuccessor = ({ room }: RoomProps) => (
  <Fact name={i18n.t('Replaced by')}>
    {room.replacement_room && <RoomChip kind={i18n.t('Replacement room')} id={room.replacement_room} />}
  </Fact>
);

function FoldedParagraph({ text }: { text: string }) {
  return (
    <FoldedText text={text}>
      {(visibleCount) => (
        <div className={classes.reason} dir="auto">
          <VisibleText text={visibleCount} />
        </div>
      )}
    </FoldedText>
  );
}

export function RoomBlock({ roomId }: { roomId: string }) {
  const query = useQuery(roomBlockQuery(useServer(), roomId));
  return (
    <Facts>
      <Fact name={i18n.t('Blocked')}>
        <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
          {({ block, user_id }) =>
            block ? (
              <span className={classes.othersLine}>
                {i18n.t("Yes: local users can't join")}
                {user_id && <LoadedUserChip kind={i18n.t('Blocked by')} id={user_id} />}
              </span>
            ) : (
              i18n.t('No')
            )
          }
        </Loaded>
      </Fact>
    </Facts>
  );
}

/** Larger room states, memberships included, load on click only. */
const maxAutoLoadedState = 1_000;
const maxListed = 30;

type Props = { roomId: string; stateEvents: number | undefined; sender: string | null };

/** Lists members above the default power level. */
export function PowerHolders({ roomId, stateEvents, sender }: Props) {
  const [wanted, setWanted] = useState(stateEvents !== undefined && stateEvents <= maxAutoLoadedState);
  const query = useQuery({ ...roomStateQuery(useServer(), roomId), enabled: wanted });
  if (!wanted) {
    return (
      <Button variant="subtle" size="compact-xs" onClick={() => setWanted(true)} className={classes.ask}>
        {stateEvents === undefined
          ? i18n.t('Load power levels')
          : i18n.t('Load power levels ({count} state events)', { count: number(stateEvents) })}
      </Button>
    );
  }
  return (
    <Loaded query={query} loading={i18n.t('Loading power levels…')} notFound={i18n.t('No room state')}>
      {(state) => {
        const names = displayNames(state);
        const { privileged, defaultLevel, redact, ban } = readPowerLevels(state);
        const senderPower = sender === null ? undefined : privileged.find(({ userId }) => userId === sender);
        return (
          <Facts>
            <Fact name={i18n.t('Power levels')}>
              <div className={classes.stack}>
                {privileged.length === 0 && (
                  <span className={classes.dim}>{i18n.t('No privileged members')}</span>
                )}
                <ul className={classes.chips}>
                  {privileged.slice(0, maxListed).map(({ userId, level }) => (
                    <li key={userId}>
                      <UserChip kind={i18n.t('Privileged member')} id={userId} name={names.get(userId)} />{' '}
                      <span className={classes.dim}>
                        {level === 'creator' ? i18n.t('creator') : number(level)}
                      </span>
                    </li>
                  ))}
                </ul>
                <span className={classes.dim}>
                  {i18n.t('Default: {usual}. Redacting needs {redact}, banning {ban}.', {
                    usual: number(defaultLevel),
                    redact: number(redact),
                    ban: number(ban),
                  })}{' '}
                  {senderPower && i18n.t('Includes the sender.')}
                </span>
              </div>
            </Fact>
          </Facts>
        );
      }}
    </Loaded>
  );
}

const pageSize = 30;

function Members({ roomId }: { roomId: string }) {
  const query = useQuery(roomMembersQuery(useServer(), roomId));
  const [typed, setTyped] = useState('');
  const [visibleCount, setVisibleCount] = useState(pageSize);
  return (
    <Loaded query={query} loading={i18n.t('Loading members…')} notFound={i18n.t('No known members')}>
      {({ rows }) => {
        const members = rows.filter(isExpected);
        const wanted = typed.trim().toLowerCase();
        const matches = wanted ? members.filter((id) => id.toLowerCase().includes(wanted)) : members;
        return (
          <div className={classes.stack}>
            {members.length > pageSize && (
              <TextInput
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                placeholder={i18n.t('Part of a user ID')}
                aria-label={i18n.t('Find member')}
              />
            )}
            <ul className={classes.chips}>
              {matches.slice(0, visibleCount).map((id) => (
                <li key={id}>
                  <LoadedUserChip kind={i18n.t('Member')} id={id} />
                </li>
              ))}
            </ul>
            {matches.length === 0 && <span className={classes.dim}>{i18n.t('No matches')}</span>}
            {matches.length > visibleCount && (
              <Button
                variant="subtle"
                size="compact-xs"
                onClick={() => setVisibleCount(visibleCount + 10 * pageSize)}
              >
                {i18n.t('Show {left, plural, other {# more}}', {
                  left: matches.length - visibleCount,
                })}
              </Button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

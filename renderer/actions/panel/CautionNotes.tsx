import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { eventReportQuery } from '../../api/event-reports.ts';
import { serverSoftwareQuery } from '../../api/server.ts';
import { userQuery } from '../../api/user.ts';
import type { UserListItem } from '../../api/user-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { Identity } from '../../components/Identity.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import type { Answers } from '../action.ts';
import { usersIn } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import { type Item, inSentence, keyOf, named, nameOf, wholeNameOf } from '../items.ts';
import { leaveAfterwards, takePower } from '../power.ts';
import classes from './ActionPanel.module.css';
import type { Cautions, Power } from './cautions.ts';

// What is loaded already of those that something is done to: nothing is asked for.

/** Enough to know a message by, in one line. */
const mostOfMessage = 200;

type ItemFacts = {
  /** Whom it befalls, or who sent it. */
  userId?: string | undefined;
  name?: string | undefined;
  /** How the event's message begins. */
  words?: string | undefined;
};

/** Gives of each item what is known of it. */
function itemFacts(queryClient: QueryClient, server: Server): (item: Item) => ItemFacts {
  let listed: ReadonlyMap<string, string> | undefined;
  const nameOf = (userId: string) => {
    listed ??= listedNames(queryClient, server);
    const user = queryClient.getQueryData(userQuery(server, userId).queryKey);
    return user?.displayname || listed.get(userId);
  };
  const wordsOf = (reportId: number) => {
    const report = queryClient.getQueryData(eventReportQuery(server, reportId).queryKey);
    const { body } = (report?.event_json.content ?? {}) as { body?: unknown };
    return typeof body === 'string' ? truncate(body, mostOfMessage).replace(/\s+/g, ' ').trim() : '';
  };
  return (item) => {
    if (item.kind === 'user' || item.kind === 'member')
      return { userId: item.userId, name: nameOf(item.userId) };
    if (item.kind !== 'event' || item.sender === undefined) return {};
    const [words] = (item.reportKind ? [] : (item.reports ?? [])).map(wordsOf).filter(Boolean);
    return { userId: item.sender, name: nameOf(item.sender), words };
  };
}

/** Of the pages of users that were looked at. */
function listedNames(queryClient: QueryClient, server: Server): ReadonlyMap<string, string> {
  const pages = queryClient.getQueriesData<{ rows?: readonly UserListItem[] }>({
    queryKey: [server.id, 'users'],
  });
  const rows = pages.flatMap(([, page]) => page?.rows ?? []);
  return new Map(rows.flatMap(({ name, displayname }) => (displayname ? [[name, displayname]] : [])));
}

/** What one knows it by: a person by name and identifier, an event by who sent it and how it begins. */
function ItemName({ item, facts: { userId, name, words } }: { item: Item; facts: ItemFacts }) {
  if (userId === undefined) return <span className={classes.id}>{wholeNameOf(item)}</span>;
  return (
    <>
      <Identity id={userId} name={name} />
      {item.kind === 'member' && <span> · {inSentence(item.roomName ?? item.roomId)}</span>}
      {item.kind === 'event' &&
        (words ? (
          <span className={classes.words}>
            <HazardText text={words} />
          </span>
        ) : (
          <span className={classes.id}>{wholeNameOf(item)}</span>
        ))}
    </>
  );
}

const mostListed = 500;

/** To whom or what it is done, as far as they are known by more than an identifier: one in a line, many to unfold. */
function WhichOnes({ items }: { items: readonly Item[] }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const shown = useMemo(() => {
    const factsOf = itemFacts(queryClient, server);
    return items.slice(0, mostListed).map((item) => ({ item, facts: factsOf(item) }));
  }, [queryClient, server, items]);

  const [first] = shown;
  if (items.length === 1 && first) {
    const { name, words } = first.facts;
    if (!name && !words) return null;
    return (
      <div className={classes.item}>
        <ItemName {...first} />
      </div>
    );
  }
  return (
    <>
      <p className={classes.note}>{firstNames(items)}</p>
      <details>
        <summary>{i18n.t('Details')}</summary>
        <ul className={classes.list}>
          {shown.map(({ item, facts }) => (
            <li key={keyOf(item)} className={classes.item}>
              <ItemName item={item} facts={facts} />
            </li>
          ))}
          {items.length > mostListed && (
            <li>{i18n.t('and {count} more', { count: number(items.length - mostListed) })}</li>
          )}
        </ul>
      </details>
    </>
  );
}

/** The first of them by name, each once, and how many more there are; of one user, the rooms; of events, who sent them. */
function firstNames(items: readonly Item[]): string {
  const isOne = usersIn(items) === 1;
  const senders = items.flatMap((item) => (item.kind === 'event' && item.sender ? [item.sender] : []));
  if (senders.length === items.length) {
    return i18n.t('Sent by {names}', { names: named([...new Set(senders)].map(inSentence)) });
  }
  const names = items.map((item) =>
    isOne && item.kind === 'member' ? inSentence(item.roomName ?? item.roomId) : nameOf(item),
  );
  return named([...new Set(names)]);
}

/** Synapse keeps files in quarantine by their hash: to release one releases every user's copy. */
export function IdenticalFilesNote({ className = classes.note }) {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  if (software !== 'Synapse') return null;
  return (
    <p className={className}>{i18n.t('Also removes identical files of other users from quarantine.')}</p>
  );
}

type Props = {
  choice: Choice;
  cautions: Cautions;
  fields: Answers['fields'];
  onField: (name: string, value: boolean) => void;
};

/** Whom it reaches, who of them is special, and what it takes. */
export function CautionNotes({ choice, cautions, fields, onField }: Props) {
  const { items, own, ownLeftOut, administrators, power } = cautions;
  return (
    <>
      <WhichOnes items={items} />
      {choice.remote > 0 && (
        <p className={classes.note}>
          {choice.action.kind === 'media'
            ? i18n.t(
                "{count, plural, one {One more remote item} other {# more remote items}} can't be changed here.",
                { count: choice.remote },
              )
            : i18n.t(
                "{count, plural, one {One more remote user} other {# more remote users}} can't be changed here.",
                { count: choice.remote },
              )}
        </p>
      )}
      {ownLeftOut && (
        <p className={classes.note}>
          {choice.action.kind === 'device'
            ? i18n.t('Your current session is skipped.')
            : i18n.t('Your account is skipped.')}
        </p>
      )}
      {own && <p className={classes.warning}>{ownWords(choice.action.id)}</p>}
      {!own && administrators.length > 0 && (
        <p className={classes.warning}>
          {i18n.t('{count, plural, one {{names} is a server admin.} other {# server admins: {names}.}}', {
            count: administrators.length,
            names: named(administrators.map(inSentence)),
          })}
        </p>
      )}
      {choice.action.id.startsWith('release-') && <IdenticalFilesNote />}
      {power && <PowerNote power={power} fields={fields} onField={onField} />}
    </>
  );
}

function ownWords(action: string): string {
  switch (action) {
    case 'end-device':
      return i18n.t("This is your current session. You'll be signed out here.");
    case 'end-sessions':
      return i18n.t("This is your account. You'll be signed out here.");
    default:
      return i18n.t('This is your account. You may lock yourself out.');
  }
}

function PowerNote({ power, fields, onField }: { power: Power } & Pick<Props, 'fields' | 'onField'>) {
  const { lacking, rooms, canTake } = power;
  const count = lacking ?? rooms;
  const said =
    lacking === undefined
      ? i18n.t('You may lack the required power level in some of these rooms.')
      : rooms === 1
        ? i18n.t('You lack the required power level in this room.')
        : i18n.t('You lack the required power level in {lacking} of {rooms} rooms.', { lacking, rooms });
  if (!canTake) {
    return (
      <p className={classes.warning}>
        {said} {i18n.t("This server can't grant it. Ask a room member.")}
      </p>
    );
  }
  return (
    <div className={classes.warning}>
      {said}
      <Checkbox
        size="xs"
        mt={6}
        label={i18n.t('Make me {count, plural, one {room admin} other {admin of these rooms}} first', {
          count,
        })}
        description={i18n.t(
          "A local room admin, usually the creator, appears to send the new power levels. You then join. Members see both. Undo doesn't revert your power level.",
          { count },
        )}
        checked={fields[takePower] === true}
        onChange={(event) => onField(takePower, event.currentTarget.checked)}
      />
      {fields[takePower] === true && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t('Leave the {count, plural, one {room afterwards} other {rooms afterwards}}', {
            count,
          })}
          checked={fields[leaveAfterwards] === true}
          onChange={(event) => onField(leaveAfterwards, event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

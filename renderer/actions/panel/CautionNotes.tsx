import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answers, leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import type { Protection } from '../../../shared/team/protected.ts';
import { eventReportQuery } from '../../api/reports/event-reports.ts';
import { loadedNames } from '../../api/user-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { Identity } from '../../components/Identity.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { useConsole, useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { countUsers } from '../action-words.ts';
import type { Choice } from '../bar/choices.ts';
import { fullNameOf, type Item, keyOf, maxNames, nameList, nameOf } from '../items.ts';
import classes from './ActionPanel.module.css';
import type { Cautions, Power } from './cautions.ts';
import { IdenticalFilesNote } from './IdenticalFilesNote.tsx';

// Names items by data from the cache, without requests.

const maxExcerpt = 200;

type ItemFacts = {
  /** The affected user or the sender. */
  userId?: string | undefined;
  name?: string | undefined;
  /** Excerpt of the event's message. */
  words?: string | undefined;
};

function itemFacts(queryClient: QueryClient, server: Server): (item: Item) => ItemFacts {
  const nameOf = loadedNames(queryClient, server);
  const wordsOf = (reportId: number) => {
    const report = queryClient.getQueryData(eventReportQuery(server, reportId).queryKey);
    const { body } = (report?.event_json.content ?? {}) as { body?: unknown };
    return typeof body === 'string' ? truncate(body, maxExcerpt).replace(/\s+/g, ' ').trim() : '';
  };
  return (item) => {
    if (item.kind === 'user' || item.kind === 'member')
      return { userId: item.userId, name: nameOf(item.userId) };
    if (item.kind !== 'event' || item.sender === undefined) return {};
    const [words] = (item.reportKind ? [] : (item.reports ?? [])).map(wordsOf).filter(Boolean);
    return { userId: item.sender, name: nameOf(item.sender), words };
  };
}

/** Names a user by display name and ID, an event by sender and excerpt. */
function ItemName({ item, facts: { userId, name, words } }: { item: Item; facts: ItemFacts }) {
  if (userId === undefined) return <span className={classes.id}>{fullNameOf(item)}</span>;
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
          <span className={classes.id}>{fullNameOf(item)}</span>
        ))}
    </>
  );
}

const maxListed = 500;

/** Lists the items; many are folded. */
function ItemList({ items }: { items: readonly Item[] }) {
  const server = useServer();
  const { queryClient } = useConsole();
  const shown = useMemo(() => {
    const factsOf = itemFacts(queryClient, server);
    return items.slice(0, maxListed).map((item) => ({ item, facts: factsOf(item) }));
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
          {items.length > maxListed && (
            <li>{i18n.t('and {count} more', { count: number(items.length - maxListed) })}</li>
          )}
        </ul>
      </details>
    </>
  );
}

/** Lists the first names and the number of others: rooms for a single user, senders for events. */
function firstNames(items: readonly Item[]): string {
  const isOne = countUsers(items) === 1;
  const senders = items.flatMap((item) => (item.kind === 'event' && item.sender ? [item.sender] : []));
  if (senders.length === items.length) {
    return i18n.t('Sent by {names}', { names: nameList([...new Set(senders)].map(inSentence)) });
  }
  const names = items.map((item) =>
    isOne && item.kind === 'member' ? inSentence(item.roomName ?? item.roomId) : nameOf(item),
  );
  return nameList([...new Set(names)]);
}

type Props = {
  choice: Choice;
  cautions: Cautions;
  fields: Answers['fields'];
  onField: (name: string, value: boolean) => void;
};

/** Warnings about the affected items and the required power level. */
export function CautionNotes({ choice, cautions, fields, onField }: Props) {
  const { items, own, ownLeftOut, protection, protectedLeftOut, administrators, power } = cautions;
  return (
    <>
      <ItemList items={items} />
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
      {protectedLeftOut.size > 0 && <LeftOut accounts={protectedLeftOut} />}
      {cautions.isNothingLeft && (
        <p className={classes.warning}>
          {i18n.t('All selected accounts are skipped. Open one to act on it.')}
        </p>
      )}
      {cautions.unchecked && (
        <p className={classes.warning}>
          {cautions.unchecked === 'all'
            ? i18n.t("Couldn't check all accounts. Protected ones may be included unless a pattern matches.")
            : cautions.unchecked === 'bots'
              ? i18n.t(
                  'Too many selected to find application service users and bots. Only those that match a pattern are skipped.',
                )
              : i18n.t(
                  'Too many selected to find application service users. Only those that match a pattern are skipped.',
                )}
        </p>
      )}
      {protection && (
        <p className={classes.warning}>
          {i18n.t('Protected account: {why}.', { why: protectionWords(protection) })}
        </p>
      )}
      {own && <p className={classes.warning}>{ownWords(choice.action.id)}</p>}
      {!own && !cautions.isNothingLeft && protection?.by !== 'admin' && administrators.length > 0 && (
        <p className={classes.warning}>
          {i18n.t('{count, plural, one {{names} is a server admin.} other {# server admins: {names}.}}', {
            count: administrators.length,
            names: nameList(administrators.map(inSentence)),
          })}
        </p>
      )}
      {choice.action.id.startsWith('release-') && <IdenticalFilesNote className={classes.note} />}
      {power && <PowerNote power={power} fields={fields} onField={onField} />}
    </>
  );
}

/** Names the protected accounts that are left out, and why. */
function LeftOut({ accounts }: { accounts: Cautions['protectedLeftOut'] }) {
  const names = [...accounts].map(([userId, protection]) =>
    i18n.t('{name} ({why})', { name: inSentence(userId), why: protectionWords(protection) }),
  );
  return (
    <>
      <p className={classes.note}>
        {i18n.t(
          '{count, plural, one {A protected account is skipped: {names}.} other {# protected accounts are skipped: {names}.}}',
          { count: names.length, names: nameList(names) },
        )}
      </p>
      {names.length > maxNames && (
        <details>
          <summary>{i18n.t('Skipped accounts')}</summary>
          <ul className={classes.list}>
            {names.slice(0, maxListed).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {names.length > maxListed && (
              <li>{i18n.t('and {count} more', { count: number(names.length - maxListed) })}</li>
            )}
          </ul>
        </details>
      )}
    </>
  );
}

function protectionWords(protection: Protection): string {
  switch (protection.by) {
    case 'admin':
      return i18n.t('server admin');
    case 'service':
      return i18n.t('application service user');
    case 'bot':
      return i18n.t('bot');
    case 'pattern':
      return inSentence(protection.pattern);
  }
}

function ownWords(action: string): string {
  switch (action) {
    case 'end-device':
      return i18n.t("This is your current session. You'll be signed out here.");
    case 'end-sessions':
      return i18n.t("This is your account. You'll be signed out here.");
    case 'quarantine-user-media':
    case 'delete-user-media':
    case 'redact-user':
      return i18n.t('This is your account.');
    default:
      return i18n.t('This is your account. You may lock yourself out.');
  }
}

function PowerNote({ power, fields, onField }: { power: Power } & Pick<Props, 'fields' | 'onField'>) {
  const { lacking, rooms, canTake } = power;
  const count = lacking ?? rooms;
  const sentence =
    lacking === undefined
      ? i18n.t('You may lack the required power level in some of these rooms.')
      : rooms === 1
        ? i18n.t('You lack the required power level in this room.')
        : i18n.t('You lack the required power level in {lacking} of {rooms} rooms.', { lacking, rooms });
  if (!canTake) {
    return (
      <p className={classes.warning}>
        {sentence} {i18n.t("This server can't grant it. Ask a room member.")}
      </p>
    );
  }
  return (
    <div className={classes.warning}>
      {sentence}
      <Checkbox
        size="xs"
        mt={6}
        label={i18n.t('Make me {count, plural, one {room admin} other {admin of these rooms}} first', {
          count,
        })}
        description={i18n.t(
          "A local room admin, usually the creator, appears to send the new power levels. You then join. Members see both. Undo doesn't revert your power level.",
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

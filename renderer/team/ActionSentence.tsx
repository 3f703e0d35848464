import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { ReactNode } from 'react';
import type { ActionEntry } from '../../shared/team/entries.ts';

/** Descriptions of actions, after the name of the moderator. `{name}` is the user or room, or the room of an event. */
type Sentences = { done: string; undone?: string };

const suspended = /*i18n*/ 'suspended {name}';
const unsuspended = /*i18n*/ 'unsuspended {name}';
const locked = /*i18n*/ 'locked {name}';
const unlocked = /*i18n*/ 'unlocked {name}';
const shadowBanned = /*i18n*/ 'shadow-banned {name}';
const unshadowBanned = /*i18n*/ 'removed the shadow-ban of {name}';
const banned = /*i18n*/ 'banned {name} from {room}';
const unbanned = /*i18n*/ 'unbanned {name} in {room}';
const muted = /*i18n*/ 'muted {name} in {room}';
const unmuted = /*i18n*/ 'unmuted {name} in {room}';
const blocked = /*i18n*/ 'blocked {name}';
const unblocked = /*i18n*/ 'unblocked {name}';
const struck = /*i18n*/ 'removed a strike of {name}';
const restored = /*i18n*/ 'restored a strike of {name}';

const sentences: Record<string, Sentences> = {
  'suspend-user': { done: suspended, undone: unsuspended },
  'unsuspend-user': { done: unsuspended, undone: suspended },
  'lock-user': { done: locked, undone: unlocked },
  'unlock-user': { done: unlocked, undone: locked },
  'shadow-ban-user': { done: shadowBanned, undone: unshadowBanned },
  'unshadow-ban-user': { done: unshadowBanned, undone: shadowBanned },
  'ban-member': { done: banned, undone: unbanned },
  'unban-member': { done: unbanned },
  'kick-member': { done: /*i18n*/ 'kicked {name} from {room}' },
  'mute-member': { done: muted, undone: unmuted },
  'unmute-member': { done: unmuted },
  'block-room': { done: blocked, undone: unblocked },
  'unblock-room': { done: unblocked, undone: blocked },
  'shut-down-room': { done: /*i18n*/ 'shut down {name}' },
  'purge-room': { done: /*i18n*/ 'purged {name}' },
  'deactivate-user': { done: /*i18n*/ 'deactivated {name}' },
  'reactivate-user': { done: /*i18n*/ 'reactivated {name}' },
  'erase-user': { done: /*i18n*/ 'erased {name}' },
  'redact-event': { done: /*i18n*/ 'redacted a message in {name}' },
  'redact-user': { done: /*i18n*/ 'redacted the messages of {name}' },
  'quarantine-user-media': { done: /*i18n*/ 'quarantined the media of {name}' },
  'list-file': {
    done: /*i18n*/ 'added a file to a word list, from {name}',
    undone: /*i18n*/ 'removed a file from a word list, from {name}',
  },
  'end-sessions': { done: /*i18n*/ 'signed {name} out everywhere' },
  'reset-password': { done: /*i18n*/ 'reset the password of {name}' },
  'send-server-notice': { done: /*i18n*/ 'sent {name} a server notice' },
  'warn-user': { done: /*i18n*/ 'warned {name}' },
  'message-reporter': { done: /*i18n*/ 'sent {name} a message about the decision' },
  appeal: {
    done: /*i18n*/ 'recorded an appeal of {name}',
    undone: /*i18n*/ 'withdrew an appeal of {name}',
  },
  'uphold-appeal': {
    done: /*i18n*/ 'upheld an appeal of {name}',
    undone: /*i18n*/ 'reopened an appeal of {name}',
  },
  'deny-appeal': {
    done: /*i18n*/ 'denied an appeal of {name}',
    undone: /*i18n*/ 'reopened an appeal of {name}',
  },
  'hold-evidence': { done: /*i18n*/ 'held evidence on {name}' },
  'release-evidence': { done: /*i18n*/ 'released evidence on {name}' },
  'remove-evidence': { done: /*i18n*/ 'removed evidence on {name}: retention is over' },
  'remove-strike': { done: struck, undone: restored },
};

type Acted = Pick<ActionEntry, 'action' | 'outcome' | 'unchanged'>;

type Props = {
  entry: Acted;
  /** The action's name in the log. */
  label: string;
  /** Names the subject. */
  name: ReactNode;
  /** Names the room of an action on a user in a room. */
  room: ReactNode;
};

/** Returns the sentence for an action's outcome, if there is one of its own. */
function sentenceOf({ action, outcome }: Acted, hasRoom: boolean): string | undefined {
  const sentence = outcome === 'failed' ? undefined : sentences[action]?.[outcome];
  return sentence?.includes('{room}') && !hasRoom ? undefined : sentence;
}

/** Renders the action on a subject, in the past tense. */
export function ActionSentence({ entry, label: action, name, room }: Props) {
  const sentence = sentenceOf(entry, room !== undefined);
  const { outcome, unchanged } = entry;
  if (sentence !== undefined)
    return (
      <>
        <Trans id={sentence} values={{ name, room }} />
        {unchanged && ` (${i18n.t('no change')})`}
      </>
    );
  return (
    <>
      {outcome === 'done' && i18n.t('“{action}” done', { action })}
      {outcome === 'failed' && i18n.t('“{action}” failed', { action })}
      {outcome === 'undone' && i18n.t('“{action}” undone', { action })} {name} {room}
      {unchanged && ` (${i18n.t('no change')})`}
    </>
  );
}

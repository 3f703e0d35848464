import { i18n } from '@lingui/core';
import type { Choice } from './choices.ts';

/** The menu's sections for a user or a room, and their actions, in the order in which they are shown. */
const sections: readonly { name: string; actions: readonly string[] }[] = [
  {
    name: /*i18n*/ 'Moderation',
    actions: [
      'warn-user',
      'suspend-user',
      'unsuspend-user',
      'lock-user',
      'unlock-user',
      'shadow-ban-user',
      'unshadow-ban-user',
      'quarantine-user-media',
      'release-user-media',
      'redact-user',
      'take-down-user',
      'delete-user-media',
      'mute-member',
      'unmute-member',
      'kick-member',
      'unban-member',
      'ban-member',
      'block-room',
      'unblock-room',
      'quarantine-room-media',
      'release-room-media',
      'shut-down-room',
      'purge-room',
      'add-user-to-policy-list',
      'add-room-to-policy-list',
      'edit-policy-rule',
      'remove-policy-rule',
    ],
  },
  {
    name: /*i18n*/ 'Account',
    actions: [
      'edit-profile',
      'clear-profile',
      'change-user-type',
      'send-server-notice',
      'join-room',
      'make-administrator',
      'revoke-administrator',
      'reactivate-user',
      'deactivate-user',
      'erase-user',
    ],
  },
  {
    name: /*i18n*/ 'Sign-in',
    actions: [
      'reset-password',
      'end-sessions',
      'end-device',
      'rename-device',
      'add-threepid',
      'add-external-id',
      'remove-identity',
      'allow-cross-signing-reset',
    ],
  },
  { name: /*i18n*/ 'Limits', actions: ['override-rate-limit', 'remove-rate-limit'] },
  { name: /*i18n*/ 'Members', actions: ['join-room-oneself', 'join-user', 'make-room-administrator'] },
  {
    name: /*i18n*/ 'Directory',
    actions: ['publish-room', 'unpublish-room', 'add-alias', 'remove-alias'],
  },
  { name: /*i18n*/ 'Maintenance', actions: ['delete-extremities', 'purge-history'] },
];

/** Divides the actions on users or rooms into sections, with the same order regardless of which are available. */
export function inSections(choices: readonly Choice[]): [name: string, choices: Choice[]][] {
  return sections
    .map(({ name, actions }): [string, Choice[]] => [
      i18n.t(name),
      actions.flatMap((id) => choices.filter(({ action }) => action.id === id)),
    ])
    .filter(([, members]) => members.length > 0);
}

const known = new Set(sections.flatMap(({ actions }) => actions));

/** Whether all are actions on users, or all on rooms. Others are few, and grouped by target. */
export const haveSections = (choices: readonly Choice[]) =>
  choices.every(({ action }) => known.has(action.id)) &&
  new Set(choices.map(({ action }) => action.group)).size === 1;

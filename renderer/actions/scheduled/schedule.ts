/** Adds, replaces and cancels scheduled actions. */

import { i18n } from '@lingui/core';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import type { Subject } from '../../../shared/team/entries.ts';
import {
  isScheduledFor,
  limitChanges,
  type Scheduled,
  type ScheduledAction,
  type ScheduledTarget,
  scheduledIn,
  scheduledKind,
  type TimeLimit,
} from '../../../shared/team/scheduled.ts';
import { noticesOf } from '../../components/notices.ts';
import { newId } from '../../new-id.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { mediumTimeFormat } from '../../words/format.ts';
import type { Action } from '../action.ts';
import { actionText } from '../action-words.ts';
import { actionById } from '../catalogue/catalogue.ts';
import type { Item } from '../items.ts';
import { noticeWithUndo } from '../undo-stack.ts';

/** Items of other kinds can't be scheduled. */
const targetOf = (item: Item): ScheduledTarget | undefined => {
  if (item.kind === 'user') return { subject: { kind: 'user', user_id: item.userId } };
  if (item.kind === 'room') return { subject: { kind: 'room', room_id: item.roomId } };
  if (item.kind !== 'member') return undefined;
  return { subject: { kind: 'user', user_id: item.userId }, room_id: item.roomId };
};

export function itemOf({ subject, room_id: roomId }: Scheduled): Item {
  if (subject.kind === 'room') return { kind: 'room', roomId: subject.room_id };
  return roomId === undefined
    ? { kind: 'user', userId: subject.user_id }
    : { kind: 'member', userId: subject.user_id, roomId };
}

export const subjectOfScheduled = ({ subject }: Scheduled): Subject =>
  subject.kind === 'user'
    ? { kind: 'user', userId: subject.user_id }
    : { kind: 'room', roomId: subject.room_id };

const put = (server: Server, key: string, content: Scheduled | null) =>
  teamOf(server).snapshot().putDocument(scheduledKind, key, content);

/** For example `Unsuspend user @mallory:example.org`. */
export function scheduledText(scheduled: Scheduled): string {
  const action = actionById(scheduled.action);
  const item = itemOf(scheduled);
  return action ? actionText(action, 'label', [item]) : scheduled.action;
}

/** Schedules the end of a completed action, and drops time limits that it replaces. */
export function updateLimits(
  server: Server,
  action: Pick<Action, 'id' | 'inverse'>,
  item: Item,
  limit: Omit<TimeLimit, 'by'> | undefined,
) {
  const target = targetOf(item);
  if (!target) return;
  const all = scheduledIn(teamOf(server).snapshot());
  const own = limit && { ...limit, by: server.connection.userId };
  for (const [key, content] of limitChanges(all, action, target, own)) put(server, key, content);
}

type Request = { action: Action; items: readonly Item[]; answers: Answers; at: number };

/** Schedules an action on each item, with an undo. */
export function scheduleAction(server: Server, { action, items, answers: { reason, fields }, at }: Request) {
  const all = items.flatMap((item): [string, Scheduled][] => {
    const target = targetOf(item);
    return target
      ? [
          [
            newId(),
            {
              action: action.id,
              ...target,
              at,
              by: server.connection.userId,
              ...(reason !== '' && { reason }),
              fields,
            },
          ],
        ]
      : [];
  });
  for (const [key, content] of all) put(server, key, content);
  const what = actionText(action, 'label', items);
  const text = i18n.t('Scheduled for {time}: {what}', { time: mediumTimeFormat().format(at), what });
  noticeWithUndo(server, { text, undoLabel: what }, () => {
    for (const [key] of all) put(server, key, null);
    noticesOf(server).show({ text: i18n.t('Schedule canceled') });
  });
}

/** Cancels a scheduled action, with an undo. */
export function cancelScheduled(server: Server, { key, since: _, ...scheduled }: ScheduledAction) {
  put(server, key, null);
  const what = scheduledText(scheduled);
  const text = i18n.t('Schedule canceled: {what}', { what });
  noticeWithUndo(server, { text, undoLabel: what }, () => {
    const { claimed: __, ...rest } = scheduled;
    put(server, newId(), rest);
    noticesOf(server).show({ text: i18n.t('Scheduled again: {what}', { what }) });
  });
}

/** Returns the actions scheduled for a subject, the next one first. */
export const scheduledFor = (all: readonly ScheduledAction[], subject: Subject) =>
  all.filter((each) => isScheduledFor(each, subject));

/** Descriptions of task actions and their results. */
import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { isObject } from '../../../shared/is-object.ts';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';

/** In characters. */
const maxLength = 300;

/** Describes an action; undefined for unknown ones. */
export function describeAction(action: string): string | undefined {
  switch (action) {
    case 'purge_history':
      return i18n.t("Purges a room's history before a date");
    case 'shutdown_and_purge_room':
      return i18n.t('Removes local users from a room and purges it if requested');
    case 'redact_all_events':
      return i18n.t("Redacts a user's events");
    case 'leave_rooms_of_deactivated_user':
      return i18n.t('Removes a deactivated user from all rooms');
    case 'update_join_states':
      return i18n.t("Updates a user's name and avatar in rooms");
    default:
      return undefined;
  }
}

/** Summarizes a task's error or result; empty without either. */
export function outcomeOf({ action, status, error, result }: ScheduledTask): string {
  if (error) return summaryLine(error);
  if (result === undefined || result === null) return '';
  const words =
    isObject(result) && status !== 'failed' ? outcomeWords(action, result, status === 'active') : undefined;
  return truncate(words ?? formatResult(result), maxLength);
}

type Result = Readonly<JsonObject>;

/** Returns undefined if the result has another shape. */
function outcomeWords(action: string, result: Result, isRunning: boolean): string | undefined {
  switch (action) {
    case 'purge_history': {
      const { purged_events: count } = result;
      return typeof count === 'number'
        ? i18n.t('{count, plural, one {# event} other {# events}} purged', { count })
        : undefined;
    }
    case 'redact_all_events': {
      const failed = sizeOf(result.failed_redactions);
      if (failed === 0) return isRunning ? '' : i18n.t('All events redacted');
      if (failed === undefined) return undefined;
      return i18n.t("Couldn't redact {count, plural, one {# event} other {# events}}", { count: failed });
    }
    case 'shutdown_and_purge_room':
      return shutdownText(result);
    case 'leave_rooms_of_deactivated_user': {
      const failed = sizeOf(result.failed_rooms);
      if (failed === 0) return isRunning ? '' : i18n.t('All rooms left');
      if (failed === undefined) return undefined;
      return i18n.t("Couldn't leave {count, plural, one {# room} other {# rooms}}", { count: failed });
    }
    case 'update_join_states': {
      const { last_room_id: roomId } = result;
      return typeof roomId === 'string' ? i18n.t('Last updated room: {roomId}', { roomId }) : undefined;
    }
    default:
      return undefined;
  }
}

function shutdownText(result: Result): string | undefined {
  const [kicked, notKicked] = [sizeOf(result.kicked_users), sizeOf(result.failed_to_kick_users)];
  if (kicked === undefined || notKicked === undefined) return undefined;
  const aliases = sizeOf(result.local_aliases) ?? 0;
  const parts = [
    i18n.t('{count, plural, =0 {no users kicked} one {# user kicked} other {# users kicked}}', {
      count: kicked,
    }),
    notKicked > 0 && i18n.t("{shown} couldn't be kicked", { shown: number(notKicked) }),
    typeof result.new_room_id === 'string' && i18n.t('moved to a new room'),
    aliases > 0 && i18n.t('{count, plural, one {# alias} other {# aliases}} moved', { count: aliases }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Returns the size of a list or object, or the number itself; undefined for other values. */
function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** Formats any other result: `rows 12 · tables 3`. */
function formatResult(result: unknown): string {
  if (!isObject(result)) return JSON.stringify(result);
  return Object.entries(result)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const count = typeof value === 'object' ? sizeOf(value) : value;
      return `${name.replaceAll('_', ' ')} ${typeof count === 'number' ? number(count) : String(count)}`;
    })
    .join(' · ');
}

/** Returns the most informative line of an error: the last one of a Python traceback. */
function summaryLine(error: string): string {
  const lines = error.trim().split('\n');
  const line = /^Traceback\b/.test(error.trim()) ? lines.at(-1) : lines[0];
  return truncate(line ?? '', maxLength);
}

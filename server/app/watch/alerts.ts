/** Texts of alerts. */
import type { NewReports, Report, ReportKind } from './observe.ts';

export type Alert = {
  /** The same for all attempts to send the same alert. */
  id: string;
  isUrgent: boolean;
  /** Without user content, for chat webhooks that read markup and mentions. */
  title: string;
  /** With user content, one line each. */
  lines: string[];
  /** Users that a moderator mentioned. */
  mentions?: string[];
};

const names: Record<ReportKind, string> = { event: 'event report', user: 'user report', room: 'room report' };
export const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
const maxLines = 20;
const maxLineLength = 300;

/** Returns an alert about reports that are urgent by the words of their reasons; undefined without any. */
export function urgentAlert({ kind, urgent }: NewReports, console?: string): Alert | undefined {
  const [newest] = urgent;
  return (
    newest && {
      id: `urgent-${kind}-${newest.id}`,
      isUrgent: true,
      title: `${counted(urgent.length, `urgent ${names[kind]}`)}`,
      lines: linesOf(urgent, kind, console),
    }
  );
}

/** Returns an alert about reports that aren't urgent; undefined without any. */
export function reportAlert(
  { kind, others, newestId, isMore }: NewReports,
  console?: string,
): Alert | undefined {
  if (others.length === 0) return undefined;
  return {
    id: `new-${kind}-${newestId}`,
    isUrgent: false,
    title: `${isMore ? 'More than ' : ''}${counted(others.length, `new ${names[kind]}`)}`,
    lines: linesOf(others, kind, console),
  };
}

const places: Record<ReportKind, string> = { event: '?report=', user: '/users/', room: '/rooms/' };

function linesOf(reports: readonly Report[], kind: ReportKind, console?: string): string[] {
  const lines = reports.map(({ id, reason, sender, target_user_id, room_id, name }) => {
    const about = sender ?? target_user_id ?? name ?? room_id ?? 'unknown';
    const text = `Report ${id} on ${about}: ${reason || 'no reason given'}`;
    return oneLine(text) + (console === undefined ? '' : ` ${console}reports${places[kind]}${id}`);
  });
  return shortened(lines);
}

export const shortened = (lines: readonly string[]): string[] =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`] : [...lines];

export function taskAlert(
  tasks: readonly { id: string; action: string; error?: string | null | undefined }[],
): Alert | undefined {
  const last = tasks.at(-1);
  return (
    last && {
      id: `failed-task-${last.id}`,
      isUrgent: false,
      title: counted(tasks.length, 'failed task'),
      lines: tasks
        .slice(-maxLines)
        .map(({ action, error }) => oneLine(`${action}: ${error || 'no error given'}`)),
    }
  );
}

/** @param since in milliseconds since the Unix epoch */
export const awayAlert = (since: number, reason: string): Alert => ({
  id: `away-${since}`,
  isUrgent: true,
  title: 'Server unreachable',
  lines: [oneLine(reason)],
});

export const backAlert = (since: number, now: number): Alert => ({
  id: `back-${since}`,
  isUrgent: true,
  title: 'Server reachable again',
  lines: [`It was unreachable for ${Math.max(1, Math.round((now - since) / 60_000))} min.`],
});

/** Control characters could forge further lines. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxLineLength);

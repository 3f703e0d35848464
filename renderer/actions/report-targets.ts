import { mediaUris } from '../../shared/media-uris.ts';
import type { FiledKind, FiledReport } from '../api/reports/filed-reports.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import type { ActionTargets } from './items.ts';

export type ReportToActOn = {
  id: number;
  room_id: string;
  event_id: string;
  sender: string | null;
  name?: string | null;
  canonical_alias?: string | null;
  user_id?: string;
  received_ts?: number;
  reason?: string | null;
  /** Not in lists. */
  event_json?: { content?: unknown };
};

/** Returns the events, senders, rooms and media of event reports. */
export function targetsOfReports(reports: readonly ReportToActOn[]): ActionTargets {
  const nameOf = ({ name, canonical_alias: alias }: ReportToActOn) => name || alias || undefined;
  const sent = reports.flatMap((report) => {
    const { id, sender, room_id: roomId } = report;
    const roomName = nameOf(report);
    return sender === null ? [] : [{ userId: sender, roomId, ...(roomName && { roomName }), reports: [id] }];
  });
  return {
    filed: reports.map((report) => ({
      of: 'event',
      reportId: report.id,
      about: report.event_id,
      roomId: report.room_id,
      ...(report.sender !== null && { sender: report.sender }),
      ...(report.user_id !== undefined && { by: report.user_id }),
      ...(report.received_ts !== undefined && { at: report.received_ts }),
      ...(report.reason && { reason: report.reason }),
    })),
    events: reports.map(({ id, room_id: roomId, event_id: eventId, sender }) => ({
      roomId,
      eventId,
      ...(sender !== null && { sender }),
      reports: [id],
    })),
    users: sent.map(({ userId, reports: because }) => ({ userId, reports: because })),
    members: sent,
    rooms: reports.map((report) => {
      const name = nameOf(report);
      return { roomId: report.room_id, ...(name && { name }), reports: [report.id] };
    }),
    media: reports.flatMap(({ id, room_id: roomId, event_id: eventId, event_json: event }) =>
      mediaUris(event?.content).map((each) => ({ ...each, of: { roomId, eventId }, reports: [id] })),
    ),
  };
}

/** Returns the targets of actions on user or room reports. */
export function targetsOfFiled(
  kind: FiledKind,
  reports: readonly (Pick<FiledReport, 'id' | 'about'> & Partial<FiledReport>)[],
): ActionTargets {
  const because = (id: number) => ({ reports: [id], reportKind: `${kind}_report` as const });
  return {
    filed: reports.map(({ id, about, by, received_ts: at, reason }) => ({
      of: kind,
      reportId: id,
      about,
      ...(by !== undefined && { by }),
      ...(at !== undefined && { at }),
      ...(reason && { reason }),
    })),
    ...(kind === 'user'
      ? { users: reports.map(({ id, about: userId }) => ({ userId, ...because(id) })) }
      : { rooms: reports.map(({ id, about: roomId }) => ({ roomId, ...because(id) })) }),
  };
}

/** Returns targets of every possible kind, for a report that is loading. */
export function placeholderTargets(
  { connection }: Server,
  kind: 'event' | FiledKind,
  id: number,
): ActionTargets {
  const name = serverName(connection);
  const userId = `@:${name}`;
  if (kind !== 'event') return targetsOfFiled(kind, [{ id, about: userId }]);
  const event_json = { content: { url: `mxc://${name}/placeholder` } };
  return targetsOfReports([{ id, room_id: '', event_id: '', sender: userId, event_json }]);
}

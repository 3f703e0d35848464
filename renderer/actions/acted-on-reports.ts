import { object } from '../components/event/read-json.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import type { ActedOn } from './items.ts';

/** Where content names uploads. Matrix specification, "Content repository" and "Sending encrypted attachments". */
const places = [['url'], ['file', 'url'], ['info', 'thumbnail_url'], ['info', 'thumbnail_file', 'url']];

/** The addresses `mxc://…` of what an event's content shows, each once; content is anything at all. */
function mediaAddresses(content: unknown): { uri: string; isThumbnail?: true }[] {
  const found = places.flatMap((place) => {
    const uri = place.reduce((value: unknown, key) => object(value)?.[key], content);
    if (typeof uri !== 'string' || !/^mxc:\/\/[^/?#\s]+\/[\w-]+$/.test(uri)) return [];
    return [{ uri, ...(place[0] === 'info' && { isThumbnail: true as const }) }];
  });
  return found.filter(({ uri }, index) => found.findIndex((other) => other.uri === uri) === index);
}

export type Reported = {
  id: number;
  room_id: string;
  event_id: string;
  sender: string | null;
  name?: string | null;
  canonical_alias?: string | null;
  user_id?: string;
  received_ts?: number;
  reason?: string | null;
  /** In a list there is none. */
  event_json?: { content?: unknown };
};

/** What one or many reports are about, each event, sender and room once. */
export function actedOnReports(reports: readonly Reported[]): ActedOn {
  const nameOf = ({ name, canonical_alias: alias }: Reported) => name || alias || undefined;
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
      mediaAddresses(event?.content).map((each) => ({ ...each, of: { roomId, eventId }, reports: [id] })),
    ),
  };
}

/** Stands for what a report that is on its way will be about: anything that there can be. */
export function actedOnComing({ connection }: Server, reportId: number): ActedOn {
  const name = serverName(connection);
  const event_json = { content: { url: `mxc://${name}/coming` } };
  return actedOnReports([{ id: reportId, room_id: '', event_id: '', sender: `@:${name}`, event_json }]);
}

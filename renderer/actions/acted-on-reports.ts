import { mediaAddresses } from './media-addresses.ts';
import type { ActedOn } from './subject.ts';

export type Reported = {
  id: number;
  room_id: string;
  event_id: string;
  sender: string | null;
  name?: string | null;
  canonical_alias?: string | null;
  /** In a list there is none. */
  event_json?: { content?: unknown };
};

/** What one or many reports are about, each event, sender and room once. */
export function actedOnReports(reports: readonly Reported[]): ActedOn {
  const sent = reports.flatMap(({ id, sender, room_id: roomId }) =>
    sender === null ? [] : [{ userId: sender, roomId, reports: [id] }],
  );
  return {
    events: reports.map(({ id, room_id: roomId, event_id: eventId }) => ({ roomId, eventId, reports: [id] })),
    users: sent.map(({ roomId: _, ...user }) => user),
    members: sent,
    rooms: reports.map(({ id, room_id: roomId, name, canonical_alias: alias }) => {
      const called = name || alias;
      return { roomId, ...(called && { name: called }), reports: [id] };
    }),
    media: reports.flatMap(({ id, room_id: roomId, event_id: eventId, event_json: event }) =>
      mediaAddresses(event?.content).map((uri) => ({ uri, of: { roomId, eventId }, reports: [id] })),
    ),
  };
}

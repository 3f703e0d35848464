import type { JsonObject } from '../../shared/api/common.ts';
import type { EventReportDetail } from '../../shared/api/reports.ts';

const startOfTime = Date.UTC(2026, 0, 1);

/** Returns a complete report with the given fields. */
export function sampleReport(
  id: number,
  fields: Partial<EventReportDetail> & { content?: JsonObject } = {},
): EventReportDetail {
  const { content = { msgtype: 'm.text', body: `Message ${id}` }, ...given } = fields;
  const sender = given.sender ?? '@mallory:fake.example';
  return {
    id,
    received_ts: startOfTime + id * 60_000,
    room_id: '!lobby:fake.example',
    name: 'Lobby',
    event_id: `$event-${id}`,
    user_id: '@alice:fake.example',
    reason: `Reason ${id}`,
    score: -50,
    sender,
    canonical_alias: null,
    event_json: {
      type: 'm.room.message',
      room_id: '!lobby:fake.example',
      sender,
      origin_server_ts: startOfTime + id * 50_000,
      content,
    },
    ...given,
  };
}

export const sampleReports = (count: number): EventReportDetail[] =>
  Array.from({ length: count }, (_, index) => sampleReport(index + 1));

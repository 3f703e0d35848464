import type { EventReportDetail, EventReportItem } from '../../shared/api/reports.ts';
import type { FakeHomeserver } from './fake-homeserver.ts';
import { sampleReport } from './sample-reports.ts';

type Fields = Partial<EventReportDetail>;

/**
 * Makes a homeserver serve many reports, generated on request. `fieldsOf` sets the fields of a report. It must be
 * fast, because filters call it for every report.
 */
export function manyReports(
  homeserver: FakeHomeserver,
  total: number,
  fieldsOf: (id: number) => Fields = () => ({}),
) {
  const gone = new Set<number>();
  const state = { newest: total, gone, largestPage: 0 };
  const one = (id: number) => sampleReport(id, fieldsOf(id));
  const exists = (id: number) => id >= 1 && id <= state.newest && !gone.has(id);

  function matching(query: URLSearchParams): number[] | undefined {
    const filters = ['user_id', 'room_id', 'event_sender_user_id'].filter((name) => query.has(name));
    if (filters.length === 0 && gone.size === 0) return undefined;
    const ids: number[] = [];
    for (let id = state.newest; id >= 1; id--) {
      if (gone.has(id)) continue;
      const fields = filters.length === 0 ? {} : { ...shared, ...fieldsOf(id) };
      const fits = filters.every((name) => {
        const field = name === 'event_sender_user_id' ? 'sender' : (name as keyof EventReportItem);
        return fields[field as keyof typeof fields] === query.get(name);
      });
      if (fits) ids.push(id);
    }
    return ids;
  }

  homeserver.interfere = (method, path, query) => {
    const [, id] = /event_reports\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      if (!exists(Number(id))) {
        return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Event report not found' } };
      }
      if (method === 'DELETE') gone.add(Number(id));
      return { status: 200, body: method === 'DELETE' ? {} : one(Number(id)) };
    }
    if (!path.endsWith('/event_reports')) return undefined;
    const ids = matching(query);
    const count = ids?.length ?? state.newest;
    const from = Number(query.get('from') ?? 0);
    const limit = Math.min(1000, Number(query.get('limit') ?? 100));
    state.largestPage = Math.max(state.largestPage, limit);
    const end = Math.min(count, from + limit);
    const reports: EventReportItem[] = [];
    for (let place = from; place < end; place++) {
      const newestFirst = query.get('dir') === 'f' ? count - 1 - place : place;
      const { event_json: _, ...item } = one(ids ? (ids[newestFirst] as number) : state.newest - newestFirst);
      reports.push(item);
    }
    return {
      status: 200,
      body: { event_reports: reports, total: count, ...(end < count && { next_token: end }) },
    };
  };
  return state;
}

const shared: Fields = sampleReport(0);

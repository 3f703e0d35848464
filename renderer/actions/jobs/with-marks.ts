import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Item } from '../subject.ts';

/** An item with what its undo needs to know of the reports that it is acted on because of. */
export function withMarks(server: Server, item: Item): Item {
  const { marksOf } = teamOf(server).snapshot();
  const { reports = [], reportKind = 'report' } = item;
  const escalated = reports.filter((id) => marksOf[reportKind].get(id)?.state === 'escalated');
  return escalated.length > 0 ? { ...item, escalated } : item;
}

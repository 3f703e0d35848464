import { teamOf } from '../team/team-store.ts';
import type { Accompanied, Surroundings } from './action.ts';
import { keyOf } from './subject.ts';

/** At the end of a run that deletes reports on users or rooms: what is gone waits for nobody, and is nobody's to count. */
export function accompany({ server }: Surroundings, { left }: Accompanied<'filed'>): () => void {
  const asked = left();
  return () => {
    const kept = new Set(left().map(keyOf));
    const gone = asked.filter((item) => !kept.has(keyOf(item)));
    const { marksOf, mark } = teamOf(server).snapshot();
    for (const of of ['user_report', 'room_report'] as const) {
      const ids = gone.flatMap((item) => (`${item.of}_report` === of ? item.reportId : []));
      mark(
        ids.filter((id) => marksOf[of].has(id)),
        'open',
        of,
      );
    }
  };
}

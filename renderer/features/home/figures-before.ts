/** What the figures were on earlier days, as this machine saw them: a server doesn't tell how its rooms grew. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { persisted } from '../../persisted.ts';

const Figures = Type.Object({
  at: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
  rooms: Type.Integer(),
  /** State events of the largest rooms, by their ids. */
  state: Dictionary(Type.Integer()),
});
export type Figures = Static<typeof Figures>;

/** What was seen less long ago says nothing about growth. */
const leastAge = 20 * 3_600_000;
const mostKept = 60;

const keptOf = (serverId: string) => persisted(`gatehouse.figures.${serverId}`, Type.Array(Figures), []);

/** The newest figures that are old enough to compare with. */
export const figuresBefore = (serverId: string, now: number): Figures | undefined =>
  keptOf(serverId)
    .read()
    .findLast(({ at }) => now - at >= leastAge);

/** Keeps figures, once a day. */
export function keepFigures(serverId: string, figures: Figures) {
  const kept = keptOf(serverId);
  const last = kept.read().at(-1);
  if (last && figures.at - last.at < leastAge) return;
  kept.write([...kept.read(), figures].slice(-mostKept));
}

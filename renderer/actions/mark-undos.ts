/** Marks that can be undone, also after the page was reloaded. */
import { type Static, Type } from 'typebox';
import { persisted } from '../persisted.ts';
import { ReportId, ReportState, reportKinds } from '../team/entries.ts';
import type { Server } from '../transport/server.ts';
import { offerUndo } from './latest-undo.ts';
import { undoMarks } from './undo-marks.ts';

const MarkChange = Type.Object({
  of: Type.Enum([...reportKinds]),
  state: ReportState,
  /** The state of each report before. */
  formerly: Type.Array(Type.Tuple([ReportId, ReportState])),
  at: Type.Integer(),
});
export type MarkChange = Static<typeof MarkChange>;

const mostKept = 20;
const kept = (serverId: string) =>
  persisted(`gatehouse.undo.${serverId}`, Type.Array(MarkChange), [], sessionStorage);
const forget = (serverId: string, change: MarkChange) =>
  kept(serverId).write(
    kept(serverId)
      .read()
      .filter(({ at, formerly }) => at !== change.at || formerly[0]?.[0] !== change.formerly[0]?.[0]),
  );

/** Offers to undo marks. Returns a function that withdraws the offer. */
export function offerMarkUndo(serverId: string, change: MarkChange, undo: () => void): () => void {
  kept(serverId).write([...kept(serverId).read(), change].slice(-mostKept));
  const withdraw = offerUndo(undo, { at: change.at });
  return () => {
    withdraw();
    forget(serverId, change);
  };
}

const restored = new Set<string>();

/** Offers again what this tab marked before it was reloaded. */
export function restoreMarkUndos(server: Server) {
  if (restored.has(server.id)) return;
  restored.add(server.id);
  for (const change of kept(server.id).read()) {
    const undo = async () => {
      forget(server.id, change);
      undoMarks(server, change);
    };
    offerUndo(undo, { at: change.at });
  }
}

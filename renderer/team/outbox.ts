/** What was added on this machine and is not in the team's room yet; without a room, all that there is. */
import { type Static, Type } from 'typebox';
import { persisted } from '../persisted.ts';
import { Body, mostReportsAtOnce } from './entries.ts';

/** Beyond these the oldest are forgotten, so that the storage never runs full. */
const mostReports = 20_000;
const mostOthers = 2_000;

const Waiting = Type.Object({
  /** Names the request that sends it, so that one sent twice is one event. */
  id: Type.String(),
  at: Type.Integer({ description: 'When it was added, in milliseconds since the Unix epoch' }),
  body: Body,
});
export type Waiting = Static<typeof Waiting>;

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(serverId: string) {
  const kept = persisted(`gatehouse.team.${serverId}`, Type.Array(Waiting), []);
  const add = (bodies: readonly Body[]) => {
    if (bodies.length === 0) return;
    const added = bodies.map((body) => ({ id: crypto.randomUUID(), at: Date.now(), body }));
    kept.write(bounded([...kept.read(), ...added]));
  };
  moveOldMarks(serverId, (reports) => add(markBodies(reports, 'reviewed')));
  return { read: kept.read, subscribe: kept.subscribe, add };
}

/** The bodies that give reports a state: more than one where they are many. */
export function markBodies(
  reports: readonly number[],
  state: Extract<Body, { type: 'mark' }>['state'],
): Body[] {
  const bodies: Body[] = [];
  for (let start = 0; start < reports.length; start += mostReportsAtOnce) {
    bodies.push({ type: 'mark', reports: reports.slice(start, start + mostReportsAtOnce), state });
  }
  return bodies;
}

/** An earlier console kept marks as a list of reviewed reports; another tab may still have it open. */
function moveOldMarks(serverId: string, move: (reports: number[]) => void) {
  const old = persisted(`gatehouse.reviewed.${serverId}`, Type.Array(Type.Integer()), []);
  const moveThem = () => {
    const reports = old.read().filter(Number.isSafeInteger);
    if (reports.length === 0) return;
    old.write([]);
    move(reports);
  };
  old.subscribe(moveThem);
  moveThem();
}

function bounded(waiting: Waiting[]): Waiting[] {
  let [reports, others] = [0, 0];
  const kept = waiting.reverse().filter(({ body }) => {
    if (body.type !== 'mark') return ++others <= mostOthers;
    reports += body.reports.length;
    return reports <= mostReports;
  });
  return kept.reverse();
}

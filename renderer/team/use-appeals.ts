import { type AppealCase, appealsIn } from '../../shared/team/appeals.ts';
import type { LogEntry } from '../../shared/team/entries.ts';
import { useTeam } from './use-team.ts';

/** Cached, because each entry of a timeline uses it, and the log can be long. */
const found = new WeakMap<readonly LogEntry[], readonly AppealCase[]>();

/** Returns the appeals, newest first. */
export function useAppeals(): readonly AppealCase[] {
  const { log } = useTeam();
  const known = found.get(log) ?? appealsIn(log);
  found.set(log, known);
  return known;
}

import { ConnectionFailure } from '../../shared/connection.ts';
import { type Conflict, conflictsBefore } from '../../shared/team/decisions.ts';
import {
  type Decision,
  entryAndViewingFilter,
  type ViewedReport,
  viewingEvent,
} from '../../shared/team/room-events.ts';
import type { TeamRoom } from '../../shared/team/room-trust.ts';
import { roomMessages, sendEvent } from '../api/team-room.ts';
import type { Server } from '../transport/server.ts';

/** A slow room must not delay a decision for longer. */
const maxWaitMs = 5_000;
/** The room may not have the own event yet. */
const rereadMs = 100;
const pageSize = 100;

type Options = {
  decision: Decision;
  viewing: ViewedReport;
  transactionId: string;
  /** Whether the user had seen an event before. */
  isKnown(eventId: string): boolean;
};

/**
 * Announces a decision in the team room, and returns the decisions by others that are before it there. None if that takes
 * longer than five seconds or fails.
 */
export async function announceDecision(
  server: Server,
  room: TeamRoom,
  options: Options,
): Promise<readonly Conflict[]> {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly Conflict[]>((resolve) => {
    timer = setTimeout(() => resolve([]), maxWaitMs);
  });
  const found = findConflicts(server, room, options, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted && !(error instanceof ConnectionFailure)) throw error;
    return [];
  });
  return Promise.race([found, late]).finally(() => {
    clearTimeout(timer);
    ended.abort();
  });
}

async function findConflicts(
  server: Server,
  { roomId, administrators }: TeamRoom,
  { decision, viewing, transactionId, isKnown }: Options,
  signal: AbortSignal,
): Promise<readonly Conflict[]> {
  const event = { ...viewingEvent(viewing, decision), transactionId };
  const ownId = await sendEvent(server, roomId, event, signal);
  const options = { me: server.connection.userId, moderators: administrators, isKnown };
  for (;;) {
    const query = { dir: 'b', limit: pageSize, filter: entryAndViewingFilter } as const;
    const { events } = await roomMessages(server, roomId, query, signal);
    const conflicts = conflictsBefore(events.toReversed(), ownId, decision, options);
    if (conflicts) return conflicts;
    await new Promise((resolve) => setTimeout(resolve, rereadMs));
    signal.throwIfAborted();
  }
}

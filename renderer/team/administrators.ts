/**
 * Who of a room's people administers the server. Each is asked for by name, and seldom: to list all administrators a
 * server may read all its users.
 */
import pLimit from 'p-limit';
import { isAdministrator } from '../api/team-room.ts';
import type { Server } from '../transport/server.ts';

/** What was answered holds for so long. */
const holdsMs = 10 * 60_000;
/** So many are asked for at the same moment: a screen that opens waits for no more than these. */
const atOnce = 3;
/** More people than that administer no server, and no more are asked for. */
const most = 1000;

/** Gives those of these users who administer the server. */
export type AdministratorsAmong = (
  userIds: Iterable<string>,
  signal: AbortSignal,
) => Promise<ReadonlySet<string>>;

export function administratorsAmong(server: Server): AdministratorsAmong {
  const { userId: me } = server.connection;
  const ofThisServer = me.slice(me.indexOf(':'));
  /** A server refuses to look up anybody else. */
  const mayBeOne = (userId: string) => /^@[^:]+/.exec(userId)?.[0] + ofThisServer === userId;
  const answers = new Map<string, { is: boolean; at: number }>();

  async function ask(userId: string, signal: AbortSignal) {
    const known = answers.get(userId);
    if (known && Date.now() - known.at < holdsMs) return;
    answers.set(userId, { is: await isAdministrator(server, userId, signal), at: Date.now() });
  }

  return async (userIds, signal) => {
    const asked = [...new Set(userIds)].filter(mayBeOne).slice(0, most);
    const turn = pLimit(atOnce);
    await turn.map(asked, (userId) => ask(userId, signal)).finally(() => turn.clearQueue());
    return new Set(asked.filter((userId) => answers.get(userId)?.is));
  };
}

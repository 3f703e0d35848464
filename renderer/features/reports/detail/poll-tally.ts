/** How a poll stands, from what was sent after it. Matrix specification, "Polls" (MSC3381). */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { type Poll, pollAnswers } from '../../../components/event/poll-content.ts';
import { amount, object, text } from '../../../components/event/read-json.ts';

export const pollReplyTypes = [
  'm.poll.response',
  'org.matrix.msc3381.poll.response',
  'm.poll.end',
  'org.matrix.msc3381.poll.end',
];

export type Tally = {
  /** How many have voted, for the answers that there are. */
  voters: number;
  /** By the answer's identifier. */
  votes: ReadonlyMap<string, number>;
  hasEnded: boolean;
};

/**
 * Of each person the last vote counts that was sent before the end; one for an answer that there isn't counts
 * for none. Whoever asked can end the poll.
 *
 * @param later what was sent after it, votes among it, in any order
 */
export function tallyOf(event: JsonObject, poll: Poll, later: readonly JsonObject[]): Tally {
  const replies = later
    .filter((reply) => object(object(reply.content)?.['m.relates_to'])?.event_id === event.event_id)
    .sort((one, other) => sentAt(one) - sentAt(other));
  const end = replies.find(({ type, sender }) => isEnd(type) && sender === event.sender);
  const answers = new Set(poll.answers.map(({ id }) => id));
  const chosen = new Map<unknown, string[]>();
  for (const reply of replies) {
    if (isEnd(reply.type) || (end && sentAt(reply) > sentAt(end))) continue;
    const ids = [...new Set(pollAnswers(object(reply.content) ?? {}))].slice(0, poll.most);
    chosen.set(reply.sender, ids.every((id) => answers.has(id)) ? ids : []);
  }
  const votes = new Map<string, number>();
  for (const id of [...chosen.values()].flat()) votes.set(id, (votes.get(id) ?? 0) + 1);
  const voters = [...chosen.values()].filter((ids) => ids.length > 0).length;
  return { voters, votes, hasEnded: end !== undefined };
}

const isEnd = (type: unknown) => text(type)?.endsWith('poll.end') ?? false;
const sentAt = ({ origin_server_ts }: JsonObject) => amount(origin_server_ts) ?? 0;

/** What looks through all that there is: it leaves the server to others, and room in memory. */
import type { EventReportItem } from '../../shared/api/reports.ts';
import { askedToWait, mayPass } from '../transport/refusal.ts';

/** In milliseconds: who looks through all leaves the server to others for as long as each request has taken it. */
const longestRest = 2_000;
/** So many are there before that: a person waits for these. */
const unhurriedFrom = 5_000;

/** @param from how many are there already */
export async function unhurried<Reply>(asking: Promise<Reply>, from: number): Promise<Reply> {
  const asked = Date.now();
  const reply = await asking;
  if (from < unhurriedFrom) return reply;
  const rest = Math.min(longestRest, Date.now() - asked);
  await new Promise((resolve) => setTimeout(resolve, rest));
  return reply;
}

/** Whoever looks through all waits for a server that is busy: with these, for some minutes before it is said. */
export const patiently = {
  retry: (failures: number, error: Error) => failures < 10 && mayPass(error) && askedToWait(error) <= 120,
  retryDelay: (failures: number, error: Error) =>
    Math.max(Math.min(1_000 * 2 ** failures, 60_000), askedToWait(error) * 1000),
};

/** So many different ones, of which a report shares most with others. */
const mostShared = 200_000;

/** Keeps what reports share, such as rooms and people, once: of a million reports it is most of what they take. */
export function keptOnce() {
  const known = new Map<string, string>();
  function once<Text extends string | null>(text: Text): Text {
    if (text === null) return text;
    const before = known.get(text);
    if (before === undefined && known.size < mostShared) known.set(text, text);
    return (before ?? text) as Text;
  }
  return ({ room_id, name, user_id, reason, sender, canonical_alias, ...rest }: EventReportItem) => ({
    ...rest,
    room_id: once(room_id),
    name: once(name),
    user_id: once(user_id),
    reason: once(reason),
    sender: once(sender),
    canonical_alias: once(canonical_alias),
  });
}

/**
 * Replies that are the same for everyone who may ask, kept while it is certain that nothing they tell of was changed:
 * consoles ask for the same lists again and again.
 */
import type { Cache } from '../core/cache.ts';
import { controlOf } from '../database/control.ts';
import type { Database } from '../database/schema.ts';
import type { Topic } from '../database/table-changes.ts';

export type KeptReplies = {
  /**
   * The reply to a question about a topic, as it is when this is asked. Where it can't be known at once whether
   * something was changed, it is made each time.
   *
   * @param question all that decides what the reply is
   * @param make gives it as JSON
   */
  get(topic: Topic, question: string, make: () => Promise<Buffer>): Promise<Buffer>;
};

/** A reply, and what the topic's version was before it was made. */
type Kept = { version: number; body: Buffer };
export type ReplyCache = Cache<string, Kept>;

/** How much a reply counts for in the cache, in bytes. */
export const replySize = ({ body }: Kept) => body.length;

export function createKeptReplies(db: Database, kept: ReplyCache): KeptReplies {
  const { version } = controlOf(db);
  if (!version) return { get: (_topic, _question, make) => make() };
  return {
    async get(topic, question, make) {
      const key = `${topic} ${question}`;
      const before = version(topic);
      const found = kept.get(key);
      if (found?.version === before) return found.body;
      const body = await make();
      kept.set(key, { version: before, body });
      return body;
    },
  };
}

/** Polls, as they are specified and as clients have sent them since before (`org.matrix.msc3381`). */
import type { JsonObject } from '../../../shared/api/common.ts';
import { extensibleText } from './message-content.ts';
import { amount, items, object, text, texts } from './read-json.ts';

export type Poll = {
  question: string;
  answers: { id: string; text: string }[];
  /** Answers beyond the twenty that a poll may have. */
  left: number;
  /** Whether everybody sees the votes before the poll has ended. */
  disclosed: boolean;
  /** How many answers one may choose. */
  most: number;
};

const mostAnswers = 20;

export function pollOf(content: JsonObject): Poll | undefined {
  const start =
    object(content['m.poll']) ??
    object(content['m.poll.start']) ??
    object(content['org.matrix.msc3381.poll.start']);
  if (!start) return undefined;
  const answers = items(start.answers).map((answer) => {
    const own = object(answer) ?? {};
    return { id: text(own['m.id']) ?? text(own.id) ?? '', text: extensibleText(own) ?? '' };
  });
  return {
    question: extensibleText(object(start.question) ?? {}) ?? '',
    answers: answers.slice(0, mostAnswers),
    left: Math.max(0, answers.length - mostAnswers),
    disclosed: !text(start.kind)?.endsWith('.undisclosed'),
    most: Math.max(1, Math.trunc(amount(start.max_selections) ?? 1)),
  };
}

/** The identifiers of the answers that were chosen; none where a vote was taken back. */
export function pollAnswers(content: JsonObject): string[] {
  const response =
    object(content['m.poll.response']) ?? object(content['org.matrix.msc3381.poll.response']) ?? {};
  return [...texts(content['m.selections']), ...texts(response.answers)].slice(0, mostAnswers);
}

export const pollEnd = (content: JsonObject): string | undefined => extensibleText(content);

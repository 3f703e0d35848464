/**
 * Sentences that are said in a person's language by whoever shows them: what stands in the code is English, and
 * the name of its translation.
 */
import { type Static, Type } from 'typebox';
import { Dictionary } from './api/common.ts';

/** What stands in the places of a sentence: `{place}` in it is the value of `place`. */
export const SentenceValues = Dictionary(Type.Union([Type.String(), Type.Number()]));
export type SentenceValues = Static<typeof SentenceValues>;

/** A sentence and its values, kept apart so that it can still be said in any language. */
export type Sentence = { sentence: string; values?: SentenceValues };

/** Says a sentence: the console by its catalogue, everything else by `english`. */
export type Say = (sentence: string, values?: SentenceValues) => string;

/**
 * A sentence as it stands in the code, with its values: `{place}`, `{count, plural, one {# note} other {# notes}}`, and
 * `''` for an apostrophe.
 */
export const english: Say = (sentence, values = {}) =>
  sentence
    .replace(plural, (_, name, one, other) =>
      (values[name] === 1 ? one : other).replace('#', `${values[name]}`),
    )
    .replaceAll("''", "'")
    .replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));

export const inEnglish = ({ sentence, values }: Sentence): string => english(sentence, values);

const plural = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;

/** `a`, `a and b`, `a and b and c`. */
export const listed = (items: readonly string[], say: Say): string =>
  items.length === 0
    ? ''
    : items.reduce((before, item) => say(/*i18n*/ '{before} and {item}', { before, item }));

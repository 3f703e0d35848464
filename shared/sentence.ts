/**
 * Sentences that are translated when they are shown. The English text in the code is also the message ID.
 */
import { type Static, Type } from 'typebox';
import { Dictionary } from './api/common.ts';

/** Values of a sentence's placeholders. */
export const SentenceValues = Dictionary(Type.Union([Type.String(), Type.Number()]));
export type SentenceValues = Static<typeof SentenceValues>;

/** A sentence and its values, not translated yet. */
export type Sentence = { sentence: string; values?: SentenceValues };

/** Translates a sentence: the console with its catalog, everything else with `english`. */
export type Say = (sentence: string, values?: SentenceValues) => string;

/**
 * Fills in a sentence: `{place}`, `{count, plural, one {# note} other {# notes}}`, and `''` for an apostrophe.
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

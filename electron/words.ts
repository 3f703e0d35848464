/** The shell's own strings in menus and dialogs, in the system's language. */
import { app } from 'electron';
import { english, type Say, type SentenceValues } from '../shared/sentence.ts';
import { messages as german } from './words/de.po';

/** The first of the system's languages with a translation. */
const isGerman = () =>
  app
    .getPreferredSystemLanguages()
    .map((tag) => tag.split('-', 1)[0])
    .find((tag) => tag === 'de' || tag === 'en') === 'de';

export const say: Say = (sentence, values = {}) => {
  const translation = isGerman() ? german[sentence] : undefined;
  return translation === undefined ? english(sentence, values) : filled(translation, values);
};

/** A compiled message: its text in pieces, with a list holding a value's name at each placeholder. */
const filled = (message: (typeof german)[string], values: SentenceValues): string =>
  typeof message === 'string'
    ? message
    : message.map((piece) => (typeof piece === 'string' ? piece : `${values[piece[0]]}`)).join('');

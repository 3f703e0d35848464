/**
 * Languages of the console. English and German are complete; the pseudo-locales show text that is hard-coded, cut off
 * or laid out for one direction only.
 */
import { i18n, type Messages } from '@lingui/core';
import { Type } from 'typebox';
import type { DeviceStorage } from '../persisted.ts';
import { compileMessage } from './compile-message.ts';

const languages = ['en', 'de', 'pseudo', 'pseudo-rtl'] as const;
type Language = (typeof languages)[number];

/** The chosen language; empty for the system's. */
export const chosenLanguage = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.language', Type.Enum(['', ...languages]), '');

async function loadMessages(language: Language): Promise<Messages> {
  if (language === 'en') return {};
  const { messages } = await import('./de.po');
  if (language === 'de') return messages;
  const { pseudoLocalize } = await import('./pseudo.ts');
  return pseudoLocalize(Object.keys(messages));
}

/** Loads the language and sets the document's `lang` and `dir`. */
export async function activateLanguage(deviceStorage: DeviceStorage): Promise<void> {
  const language = chosenLanguage(deviceStorage).read() || detectLanguage();
  i18n.load(language, await loadMessages(language));
  i18n.setMessagesCompiler(compileMessage);
  i18n.activate(language, localesOf(language));
  document.documentElement.lang = baseLanguage(language);
  document.documentElement.dir = language === 'pseudo-rtl' ? 'rtl' : 'ltr';
}

/** Drops malformed tags, like `en-US@posix`, at which `Intl` throws. */
const systemTags = () => navigator.languages.filter((tag) => /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(tag));

/** Returns the first supported system language. */
function detectLanguage(): Language {
  const supported: Language[] = ['en', 'de'];
  const preferred = systemTags().map((tag) => tag.split('-', 1)[0]);
  return preferred.flatMap((tag) => supported.filter((language) => language === tag))[0] ?? 'en';
}

/** Returns the locales for dates and numbers: the system's if of the same language (de-AT for de). */
function localesOf(language: Language): string[] {
  const base = baseLanguage(language);
  return [...systemTags().filter((tag) => tag.split('-', 1)[0] === base), base];
}

const baseLanguage = (language: Language) => (language === 'de' ? 'de' : 'en');

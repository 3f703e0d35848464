/**
 * Which words and which customs of writing the console uses. English and German are complete; the two
 * others are made of English and show what is hard-coded, cut off or laid out for one direction only.
 */
import { i18n, type Messages } from '@lingui/core';
import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

const languages = ['en', 'de', 'pseudo', 'pseudo-rtl'] as const;
type Language = (typeof languages)[number];

const catalogues: Record<'en' | 'de', () => Promise<{ messages: Messages }>> = {
  en: () => import('./en.po'),
  de: () => import('./de.po'),
};

/** The language that was chosen on this machine; empty where the system's is followed. */
export const chosenLanguage = () => persisted('gatehouse.language', Type.Enum(['', ...languages]), '');

async function messagesOf(language: Language): Promise<Messages> {
  if (language === 'en' || language === 'de') return (await catalogues[language]()).messages;
  const [{ disguised }, english, german] = await Promise.all([
    import('./pseudo.ts'),
    catalogues.en(),
    catalogues.de(),
  ]);
  const ids = Object.keys(german.messages).map((id) => [id, [id]]);
  return disguised({ ...Object.fromEntries(ids), ...english.messages });
}

const wantedLanguage = () => chosenLanguage().read() || systemLanguage();

/** Loads the language of this machine, and has the page say so to browsers and screen readers. */
export async function activateLanguage(): Promise<void> {
  const language = wantedLanguage();
  i18n.load(language, await messagesOf(language));
  // The English catalogue lacks messages that read like their ids (`bundles/console.ts`).
  if (language === 'en') i18n.setMessagesCompiler((message) => [message]);
  i18n.activate(language, customs(language));
  document.documentElement.lang = plain(language);
  document.documentElement.dir = language === 'pseudo-rtl' ? 'rtl' : 'ltr';
}

/** Some systems name a language in a way that `Intl` throws at, like `en-US@posix`. */
const systemTags = () => navigator.languages.filter((tag) => /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(tag));

/** The first language of the system's that there are words for. */
function systemLanguage(): Language {
  const offered: Language[] = ['en', 'de'];
  const wanted = systemTags().map((tag) => tag.split('-', 1)[0]);
  return wanted.flatMap((tag) => offered.filter((language) => language === tag))[0] ?? 'en';
}

/** How dates and numbers are written: as the system does where it speaks the language (de-AT for de). */
function customs(language: Language): string[] {
  const own = plain(language);
  return [...systemTags().filter((tag) => tag.split('-', 1)[0] === own), own];
}

const plain = (language: Language) => (language === 'de' ? 'de' : 'en');

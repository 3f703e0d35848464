/** The words of screens that are opened now and then: they load with the first of these. */
import { loadWords } from '../languages.ts';

const part = { en: () => import('./en.po'), de: () => import('./de.po') };

export const administrationWords = () => loadWords(part);

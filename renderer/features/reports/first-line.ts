import { beginning } from '../../words/beginning.ts';

/** So much of a reason tells it from others, in characters. */
const longest = 80;

/** The first line of a reason, by which reports are counted together. */
export const firstLine = (reason: string | null) =>
  beginning(reason?.trim().split('\n', 1)[0]?.trim() ?? '', longest);

/** The same, in whatever case it was written; empty where there is none. */
export const reasonKey = (reason: string | null) => firstLine(reason).toLowerCase();

/**
 * What formatted messages take, in a script of its own: most messages are plain, and the sanitizer is large. It
 * is on its way as soon as anything is that shows events.
 */
import { loadedAhead } from '../loaded-ahead.ts';

export const FormattedBody = loadedAhead(async () => ({
  default: (await import('./FormattedBody.tsx')).FormattedBody,
}));
export const OtherForm = loadedAhead(async () => ({ default: (await import('./OtherForm.tsx')).OtherForm }));

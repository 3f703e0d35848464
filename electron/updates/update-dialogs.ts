/** Dialogs about updates. */
import { app, dialog } from 'electron';
import { type Static, Type } from 'typebox';
import { say } from '../words.ts';
import { Release } from './update-feed.ts';

/**
 * The downloaded version: if it isn't running, it wasn't installed, because the local homeserver was or may have been
 * busy at exit.
 */
export const HeldBack = Type.Object({
  version: Type.Optional(Release),
  /** It was to be installed at exit, so the installation failed. */
  failed: Type.Optional(Type.Boolean()),
  /** The version that can't be installed at the app's location, as already reported. */
  told: Type.Optional(Release),
});
export type HeldBack = Static<typeof HeldBack>;

/** Results of an update check. */
export type Answer = { type: 'info' | 'warning' | 'error'; message: string; detail?: string };

/** The current state: a version being offered or downloaded. */
type UnderWay = { asksAbout?: string | undefined; downloads?: string | undefined };

/** For repeated checks: an earlier question may be hidden behind other windows. */
export function describeActivity({ asksAbout, downloads }: UnderWay): Answer | undefined {
  if (asksAbout !== undefined) {
    const sentence = /*i18n*/ 'Another window already asks whether to download Gatehouse {version}.';
    return { type: 'info', message: say(sentence, { version: asksAbout }) };
  }
  if (downloads === undefined) return undefined;
  return {
    type: 'info',
    message: say(/*i18n*/ 'Downloading Gatehouse {version}…', { version: downloads }),
  };
}

export function notReplaceable(version: string): Answer {
  const sentence = /*i18n*/ "Gatehouse {version} can't be installed. The app's file or folder is read-only.";
  return { type: 'warning', message: say(sentence, { version }) };
}

export const readyAtQuit = (version: string): Answer => ({
  type: 'info',
  message: say(/*i18n*/ 'Gatehouse {version} will be installed when you quit.', { version }),
});

/**
 * @param isAnother whether it doesn't match its announcement
 * @param givesUp the version that was to be installed until then
 */
export function notDownloaded(isAnother: boolean, givesUp: string | undefined): Answer {
  const message = isAnother
    ? /*i18n*/ "The download doesn't match the announced update and wasn't installed."
    : /*i18n*/ "Couldn't download the update. See the log for details.";
  const given =
    /*i18n*/ "Gatehouse {version} won't be installed either. It was replaced by the newer download.";
  return {
    type: 'error',
    message: say(message),
    ...(givesUp !== undefined && { detail: say(given, { version: givesUp }) }),
  };
}

const putAtQuit = /*i18n*/ 'You have {version}. The update installs when you quit.';

const whyHeld = ({ failed }: HeldBack) =>
  failed
    ? /*i18n*/ "You have {version}. The update couldn't be installed when you quit. Check the log. Gatehouse retries at the next quit."
    : /*i18n*/ "You have {version}. The update wasn't installed because the local server may have been busy. Quit when it's idle.";

export async function isAgreedTo(version: string, held: HeldBack): Promise<boolean> {
  const has = { version: app.getVersion() };
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say(/*i18n*/ 'Download Gatehouse {version}?', { version }),
    // For either case.
    detail: say(held.version === undefined ? putAtQuit : whyHeld(held), has),
    buttons: [say(/*i18n*/ 'Download'), say(/*i18n*/ 'Not now')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

export async function showAnswer(answer: Answer): Promise<void> {
  await dialog.showMessageBox({ ...answer, buttons: [say(/*i18n*/ 'Close')] });
}

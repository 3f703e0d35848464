/** What the person is asked and told about updates. */
import { app, dialog } from 'electron';
import { type Static, Type } from 'typebox';
import { say } from '../words.ts';
import { Release } from './update-feed.ts';

/**
 * The version that was downloaded: where it doesn't run yet, it was not put in place, because the local homeserver was, or
 * may have been, at work when the app ended.
 */
export const HeldBack = Type.Object({
  version: Type.Optional(Release),
  /** It was to be put in place when the app ended: so it could not be. */
  failed: Type.Optional(Type.Boolean()),
  /** The version of which the person was told that it can't be put in place where this app is. */
  told: Type.Optional(Release),
});
export type HeldBack = Static<typeof HeldBack>;

/** What a look at the feed comes to. */
export type Answer = { type: 'info' | 'warning' | 'error'; message: string; detail?: string };

/** What goes on: a version that is asked about, or downloaded. */
type UnderWay = { asksAbout?: string | undefined; downloads?: string | undefined };

/** To who asks once more. A question that was put some time ago may lie behind other windows. */
export function whatGoesOn({ asksAbout, downloads }: UnderWay): Answer | undefined {
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
 * @param isAnother whether it is something else than what was announced
 * @param givesUp the version that was to be put in place until then
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
    // Whichever it was.
    detail: say(held.version === undefined ? putAtQuit : whyHeld(held), has),
    buttons: [say(/*i18n*/ 'Download'), say(/*i18n*/ 'Not now')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

export async function tell(answer: Answer): Promise<void> {
  await dialog.showMessageBox({ ...answer, buttons: [say(/*i18n*/ 'Close')] });
}

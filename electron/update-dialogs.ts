/** What the person is asked and told about updates. */
import { app, dialog, type MessageBoxOptions } from 'electron';
import { type Static, Type } from 'typebox';
import { say } from './words.ts';

/**
 * The version that was downloaded and not put in place, because the local homeserver was, or may have been, at work
 * when the app ended.
 */
export const HeldBack = Type.Object({
  version: Type.Optional(Type.String()),
  /** It could not be put in place when it should have been. */
  failed: Type.Optional(Type.Boolean()),
});
export type HeldBack = Static<typeof HeldBack>;

/** What goes on: a version that is asked about, or downloaded. */
type UnderWay = { asksAbout?: string | undefined; downloads?: string | undefined };

/** To who asks once more. A question that was put some time ago may lie behind other windows. */
export async function sayWhatGoesOn({ asksAbout, downloads }: UnderWay): Promise<void> {
  if (asksAbout !== undefined) {
    const sentence =
      /*i18n*/ 'You are asked already whether to download Gatehouse {version}, in another window.';
    await tell('info', say(sentence, { version: asksAbout }));
  } else if (downloads !== undefined) {
    await tell('info', say(/*i18n*/ 'Gatehouse {version} is being downloaded.', { version: downloads }));
  }
}

export async function tellNotReplaceable(version: string): Promise<void> {
  const sentence =
    /*i18n*/ 'There is Gatehouse {version}, but this app can’t replace its own file: you may not write to its folder.';
  await tell('warning', say(sentence, { version }));
}

const putAtQuit = /*i18n*/ 'You have {version}. It is put in place when you quit.';

const whyHeld = ({ failed }: HeldBack) =>
  failed
    ? /*i18n*/ 'You have {version}. The new one could not be put in place when you quit: the log says why. It is tried again the next time that you quit.'
    : /*i18n*/ 'You have {version}. The new one was not put in place when you quit, because the local server was at work on something, or may have been. It is the next time that you quit and the server has nothing to do.';

export async function isAgreedTo(version: string, held: HeldBack): Promise<boolean> {
  const has = { version: app.getVersion() };
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say(/*i18n*/ 'Download Gatehouse {version}?', { version }),
    detail: say(held.version === version ? whyHeld(held) : putAtQuit, has),
    buttons: [say(/*i18n*/ 'Download'), say(/*i18n*/ 'Not now')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

export async function tell(type: NonNullable<MessageBoxOptions['type']>, message: string): Promise<void> {
  await dialog.showMessageBox({ type, message, buttons: [say(/*i18n*/ 'Close')] });
}

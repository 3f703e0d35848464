/** A page with a running job asks before it closes. Electron would silently stay open. */
import { app, type BrowserWindow } from 'electron';
import { confirmInDialog } from '../ask.ts';
import { say } from '../words.ts';

export function askBeforeLeaving(window: BrowserWindow): void {
  /** The action to continue with after the user agrees; `reload` if the page itself asked. */
  let action: 'quit' | 'close' | 'reload' = 'reload';
  let isAsking = false;
  let mayLeave = false;

  const quits = () => {
    action = 'quit';
  };
  app.on('before-quit', quits);
  window.on('close', () => {
    if (action === 'reload') action = 'close';
  });
  window.once('closed', () => app.off('before-quit', quits));
  window.webContents.on('did-navigate', () => {
    mayLeave = false;
  });
  window.webContents.on('will-prevent-unload', (event) => {
    // `preventDefault` lets the page close.
    if (mayLeave) return event.preventDefault();
    const begun = action;
    action = 'reload';
    if (isAsking) return;
    isAsking = true;
    void isAgreedTo().then((agreed) => {
      isAsking = false;
      if (!agreed || window.isDestroyed()) return;
      mayLeave = true;
      if (begun === 'quit') app.quit();
      else if (begun === 'close') window.close();
      else window.webContents.reload();
    });
  });
}

const isAgreedTo = () =>
  confirmInDialog({
    message: say(/*i18n*/ 'Quit while a job is running?'),
    detail: say(/*i18n*/ "Completed items stay changed. The rest won't be processed."),
    yes: say(/*i18n*/ 'Quit anyway'),
  });

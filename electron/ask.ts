/** Native confirmation dialogs, which no page can answer. */
import { BrowserWindow, dialog } from 'electron';
import { say } from './words.ts';

const yesButton = 0;
const noButton = 1;

/** Returns whether the user confirmed. `yes` is the label of the confirming button. */
export async function confirmInDialog({
  yes,
  ...question
}: {
  title?: string;
  message: string;
  detail: string;
  yes: string;
}): Promise<boolean> {
  const options = {
    type: 'question' as const,
    ...question,
    buttons: [yes, say(/*i18n*/ 'Cancel')],
    defaultId: noButton,
    cancelId: noButton,
    noLink: true,
  };
  const [window] = BrowserWindow.getAllWindows();
  const answer = window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
  return (await answer).response === yesButton;
}

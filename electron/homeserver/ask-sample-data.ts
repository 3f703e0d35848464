/** "Add sample data" in the menu. Asks first, because the sample data stays among the server's own. */
import { dialog } from 'electron';
import { ConnectionFailure } from '../../shared/connection.ts';
import { confirmInDialog } from '../ask.ts';
import { say } from '../words.ts';
import type { HomeserverProcess } from './homeserver-process.ts';

export async function askToAddSampleData(homeserver: HomeserverProcess): Promise<void> {
  const agreed = await confirmInDialog({
    message: say(/*i18n*/ 'Add sample data to the local server?'),
    detail: say(/*i18n*/ 'Adds fictional users, rooms, messages, reports and tasks.'),
    yes: say(/*i18n*/ 'Add'),
  });
  if (!agreed) return;
  try {
    const added = await homeserver.ask('add-sample-data');
    await dialog.showMessageBox({
      type: 'info',
      message: say(/*i18n*/ 'Sample data added'),
      detail: say(
        /*i18n*/ '{users} users, {rooms} rooms, {messages} messages, {reports} reports and {tasks} tasks',
        added,
      ),
    });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const message = say(/*i18n*/ "Couldn't add sample data");
    const detail = say(error.sentence, error.values);
    await dialog.showMessageBox({ type: 'error', message, detail });
  }
}

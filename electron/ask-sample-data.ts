/** "Add sample data" in the menu: asks first, since what is added stays among the server's own data. */
import { dialog } from 'electron';
import { ConnectionFailure } from '../shared/connection.ts';
import type { HomeserverProcess } from './homeserver-process.ts';

const addButton = 0;
const cancelButton = 1;

export async function askToAddSampleData(homeserver: HomeserverProcess): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Add sample data to the local server?',
    detail: 'Users, rooms, messages, reports and tasks that were made up are added to what is there.',
    buttons: ['Add', 'Cancel'],
    defaultId: addButton,
    cancelId: cancelButton,
    noLink: true,
  });
  if (response !== addButton) return;
  try {
    const detail = await homeserver.ask('add-sample-data');
    await dialog.showMessageBox({ type: 'info', message: 'Sample data was added.', detail });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const message = 'Sample data was not added.';
    await dialog.showMessageBox({ type: 'error', message, detail: error.message });
  }
}

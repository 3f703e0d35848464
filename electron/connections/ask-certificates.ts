/** Dialogs to choose a host's certificate authority and client certificate. */
import { readFile, stat } from 'node:fs/promises';
import { type Certificate, dialog } from 'electron';
import { ConnectionFailure } from '../../shared/connection.ts';
import { askForPage, beginQuestion } from '../window/page-questions.ts';
import { say } from '../words.ts';

const mostBytes = 1024 * 1024;

/** Returns the content of the file that the user chooses; undefined if canceled. */
export async function askForAuthority(host: string): Promise<string | undefined> {
  let path: string | undefined;
  await askForPage(async () => {
    const title = say(/*i18n*/ 'Certificate authority for {host}', { host });
    const { filePaths } = await dialog.showOpenDialog({
      title,
      message: title,
      properties: ['openFile'],
      filters: [{ name: say(/*i18n*/ 'Certificates (PEM)'), extensions: ['pem', 'crt', 'cer'] }],
    });
    path = filePaths[0];
    return path !== undefined;
  });
  if (path === undefined) return undefined;
  if ((await stat(path)).size > mostBytes) {
    throw new ConnectionFailure('refused', /*i18n*/ 'The file is too large for a certificate.');
  }
  return readFile(path, 'latin1');
}

/** Returns the client certificate that the user chooses from the system's; undefined if canceled. */
export async function askForClientCertificate(
  host: string,
  list: readonly Certificate[],
): Promise<Certificate | undefined> {
  const end = beginQuestion();
  let chosen: Certificate | undefined;
  try {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      title: say(/*i18n*/ 'Client certificate'),
      message: say(/*i18n*/ 'Choose a certificate for {host}', { host }),
      detail: say(/*i18n*/ 'The server requests a client certificate.'),
      buttons: [
        ...list.map(({ subjectName, issuerName }) => `${subjectName} (${issuerName})`),
        say(/*i18n*/ 'No certificate'),
      ],
      defaultId: list.length,
      cancelId: list.length,
      noLink: true,
    });
    chosen = list[response];
    return chosen;
  } finally {
    end(chosen !== undefined);
  }
}

import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type IncomingReply,
  succeeded,
} from '../../shared/connection.ts';
import { requestUrl } from '../../shared/outgoing-request.ts';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';
import { backupType } from '../../shared/workbench/backup.ts';
import { ResetServer } from '../../shared/workbench/host.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import { refusalOf } from './refusal.ts';
import type { Authorized } from './token-refresh.ts';

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

const maxErrorBytes = 100_000;

export async function saveBackup(
  authorized: Authorized,
  connection: Connection,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const target = await chooseFile(name);
  if (target === undefined) return false;
  const response = await authorized(connection.id, ({ accessToken }) =>
    requestBackup(connection, accessToken),
  );
  if (!response.ok) {
    const refusal = parseJson(await readAtMost(response, maxErrorBytes));
    throw refusalOf({ status: response.status, body: refusal }, connection);
  }
  if (!response.body) throw interrupted();
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  try {
    if (target === 'download') {
      download(await new Response(counted, { headers: { 'content-type': backupType } }).blob(), name);
    } else await counted.pipeTo(await target.createWritable());
  } catch {
    throw interrupted();
  }
  return true;
}

export async function sendBackup(
  authorized: Authorized,
  connection: Connection,
  backup: File,
  onBytes: (bytes: number) => void,
): Promise<ResetServer> {
  const url = requestUrl(connection, workbenchPaths.hostRestore);
  const reply = await authorized(connection.id, ({ accessToken }) =>
    upload(url, backup, { accessToken, onBytes }),
  );
  if (!succeeded(reply)) throw refusalOf(reply, connection);
  return expectReply(ResetServer, reply);
}

type Upload = { accessToken: string; onBytes: (bytes: number) => void };

/** `fetch` reports no upload progress. @throws ConnectionFailure without a reply */
function upload(url: string, content: Blob, { accessToken, onBytes }: Upload): Promise<IncomingReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.responseType = 'arraybuffer';
    request.setRequestHeader('authorization', `Bearer ${accessToken}`);
    request.setRequestHeader('content-type', backupType);
    request.upload.addEventListener('progress', ({ loaded }) => onBytes(loaded));
    request.addEventListener('load', () => {
      const bytes = new Uint8Array(request.response as ArrayBuffer);
      resolve({ status: request.status, body: parseJson(bytes) });
    });
    const fail = () =>
      reject(
        new ConnectionFailure(
          'unreachable',
          /*i18n*/ "The backup didn't reach the server. Nothing has changed. Retry.",
        ),
      );
    for (const end of ['error', 'abort']) request.addEventListener(end, fail);
    request.send(content);
  });
}

const requestBackup = (connection: Connection, accessToken: string): Promise<Response> =>
  fetch(requestUrl(connection, workbenchPaths.backup), {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: '{}',
    credentials: 'omit',
    redirect: 'error',
  }).catch(() => {
    throw interrupted();
  });

const interrupted = () =>
  new ConnectionFailure('unreachable', /*i18n*/ 'The backup is incomplete and unusable. Create another.');

/** Returns undefined if the user cancels, `download` if the browser can't write to files. */
async function chooseFile(name: string): Promise<FileSystemFileHandle | 'download' | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SaveFilePicker };
  if (!showSaveFilePicker) return 'download';
  try {
    return await showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'download';
  }
}

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser doesn't report the start of a download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

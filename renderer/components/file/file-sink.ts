type Write = (part: string | Blob) => Promise<void>;

/** The target of an export: a file on disk, or a download that starts at the end. */
type FileSink = {
  write: Write;
  close(): Promise<void>;
  /** Deletes the partial file. */
  discard(): Promise<void>;
};

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Lets the user choose a file, and writes it. Leaves no partial file if writing fails.
 *
 * @returns the writer's result; undefined if the user cancels
 */
export async function saveFile<Result>(
  name: string,
  type: string,
  inShell: boolean,
  writer: (write: Write) => Promise<Result>,
): Promise<Result | undefined> {
  const sink = await openFileSink(name, type, inShell);
  if (!sink) return undefined;
  try {
    const result = await writer(sink.write);
    await sink.close();
    return result;
  } catch (error) {
    await sink.discard().catch(() => {});
    throw error;
  }
}

/**
 * Opens a file picker, or falls back to a download. Returns undefined if the user cancels. The desktop shell itself
 * asks where to save a download; its page can't write to disk.
 */
async function openFileSink(name: string, type: string, inShell: boolean): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SaveFilePicker };
  if (!showSaveFilePicker || inShell) return blobSink(name, type);
  try {
    const handle = await showSaveFilePicker({ suggestedName: name });
    const stream = await handle.createWritable();
    return {
      write: (part) => stream.write(part),
      close: () => stream.close(),
      discard: () => stream.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Not permitted in this browser.
    return blobSink(name, type);
  }
}

/** Characters per blob part, which the browser can keep out of memory. */
const chunkSize = 1_000_000;

function blobSink(name: string, type: string): FileSink {
  const parts: Blob[] = [];
  let text = '';
  return {
    async write(part) {
      if (typeof part === 'string') text += part;
      if (typeof part === 'string' && text.length < chunkSize) return;
      parts.push(new Blob([text]), ...(part instanceof Blob ? [part] : []));
      text = '';
    },
    async close() {
      const url = URL.createObjectURL(new Blob([...parts, text], { type }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      // The download may not have started yet, and there is no event for its start.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async discard() {
      parts.length = 0;
      text = '';
    },
  };
}

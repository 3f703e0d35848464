/** Where an export goes: a file that is written as it comes, or one that the browser is given at the end. */
export type FileSink = {
  write(text: string): Promise<void>;
  /** The file is whole. */
  close(): Promise<void>;
  /** Nothing of it stays. */
  discard(): Promise<void>;
};

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Asks the person where to, where the page may write files; undefined where they thought better of it. The
 * desktop shell asks by itself when it is given a whole file, and lets no page write to the disk.
 */
export async function openFileSink(
  name: string,
  type: string,
  inShell: boolean,
): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SaveFilePicker };
  if (!showSaveFilePicker || inShell) return blobSink(name, type);
  try {
    const handle = await showSaveFilePicker({ suggestedName: name });
    const stream = await handle.createWritable();
    return {
      write: (text) => stream.write(text),
      close: () => stream.close(),
      discard: () => stream.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // Not allowed here, for whatever reason: there is another way.
    return blobSink(name, type);
  }
}

/** So much text becomes a part that the browser can keep outside of memory. */
const partSize = 1_000_000;

function blobSink(name: string, type: string): FileSink {
  const parts: Blob[] = [];
  let text = '';
  return {
    async write(more) {
      text += more;
      if (text.length < partSize) return;
      parts.push(new Blob([text]));
      text = '';
    },
    async close() {
      const url = URL.createObjectURL(new Blob([...parts, text], { type }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      // The download has the content once it has begun; how long that takes nobody tells.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async discard() {
      parts.length = 0;
      text = '';
    },
  };
}

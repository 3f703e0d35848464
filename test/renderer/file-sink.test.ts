/** Writing a file: to disk if the browser can, else as a download. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '../../renderer/components/file/file-sink.ts';

/** Calls on the file on disk, in order. */
let calls: string[] = [];
let failing: string | undefined;
const step = async (call: string, name = call) => {
  calls.push(call);
  if (failing === name) throw new Error(`${name} failed`);
};
const stream = {
  write: (part: string) => step(`write ${part}`, 'write'),
  close: () => step('close'),
  abort: () => step('abort'),
};
const picker = vi.fn();
/** The downloads that were started. */
let downloads: { name: string; blob: Blob }[] = [];

beforeEach(() => {
  calls = [];
  downloads = [];
  failing = undefined;
  picker.mockReset().mockResolvedValue({ createWritable: async () => stream });
  vi.stubGlobal('window', { showSaveFilePicker: picker });
  const blobs = new Map<string, Blob>();
  vi.stubGlobal('URL', {
    createObjectURL(blob: Blob) {
      blobs.set(`blob:${blobs.size}`, blob);
      return `blob:${blobs.size - 1}`;
    },
    revokeObjectURL: () => {},
  });
  vi.stubGlobal('document', {
    createElement: () => ({
      href: '',
      download: '',
      click() {
        downloads.push({ name: this.download, blob: blobs.get(this.href) as Blob });
      },
    }),
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const save = (inShell = false) =>
  saveFile('a.csv', 'text/csv', inShell, async (write) => {
    await write('one');
    await write('two');
    return 2;
  });

test('a file is written, and closed before it counts as saved', async () => {
  expect(await save()).toBe(2);
  expect(calls).toEqual(['write one', 'write two', 'close']);
  expect(picker).toHaveBeenCalledWith({ suggestedName: 'a.csv' });
});

test.each([
  ['write', ['write one', 'abort']],
  ['close', ['write one', 'write two', 'close', 'abort']],
])('if %s fails, the partial file is discarded and the failure reported', async (name, expected) => {
  failing = name;
  await expect(save()).rejects.toThrow(`${name} failed`);
  expect(calls).toEqual(expected);
});

test('a failure to discard hides no failure', async () => {
  stream.abort = () => Promise.reject(new Error('abort failed'));
  failing = 'write';
  await expect(save()).rejects.toThrow('write failed');
});

test('nothing is written if the user cancels the dialog', async () => {
  picker.mockRejectedValue(new DOMException('', 'AbortError'));
  expect(await save()).toBeUndefined();
  expect([calls, downloads]).toEqual([[], []]);
});

test.each([
  ['in the desktop app', () => save(true)],
  [
    'where the dialog is forbidden',
    () => {
      picker.mockRejectedValue(new DOMException('', 'SecurityError'));
      return save();
    },
  ],
  [
    'in a browser without the dialog',
    () => {
      vi.stubGlobal('window', {});
      return save();
    },
  ],
])('it is downloaded %s', async (_, saved) => {
  expect(await saved()).toBe(2);
  expect(downloads.map(({ name }) => name)).toEqual(['a.csv']);
  expect(await downloads[0]?.blob.text()).toBe('onetwo');
  expect(downloads[0]?.blob.type).toBe('text/csv');
});

test('a download keeps the order of text and binary parts, also of long text', async () => {
  const long = 'x'.repeat(1_000_001);
  await saveFile('a.zip', 'application/zip', true, async (write) => {
    for (const part of ['one', new Blob(['two']), long, 'three']) await write(part);
  });
  expect(await downloads[0]?.blob.text()).toBe(`onetwo${long}three`);
});

test('a failed download starts none', async () => {
  const failed = saveFile('a.csv', 'text/csv', true, async (write) => {
    await write('one');
    throw new Error('lost');
  });
  await expect(failed).rejects.toThrow('lost');
  expect(downloads).toEqual([]);
});

/** Stubs for a console without a page: events, visibility and storage. */
import { setMaxListeners } from 'node:events';
import { afterAll, beforeAll, vi } from 'vitest';

/** A stub of a window and its document that counts listeners. */
class PageEvents extends EventTarget {
  count = 0;
  hidden = false;
  origin = 'https://x.example';
  override addEventListener(...given: Parameters<EventTarget['addEventListener']>) {
    this.count++;
    super.addEventListener(...given);
  }
  override removeEventListener(...given: Parameters<EventTarget['removeEventListener']>) {
    this.count--;
    super.removeEventListener(...given);
  }
}

/** Sets up a test file. */
export function stubPage(): PageEvents {
  const page = new PageEvents();
  setMaxListeners(0, page);
  beforeAll(() => {
    for (const name of ['window', 'document', 'self']) vi.stubGlobal(name, page);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
  return page;
}

export function memoryStorage(): Storage {
  const values: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => values[key] ?? null,
    setItem(key: string, value: string) {
      values[key] = value;
    },
    removeItem: (key: string) => void delete values[key],
  };
  return methods as Storage;
}

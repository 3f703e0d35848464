/**
 * Scripts in the page: the preload script in an isolated world, as in Electron, and proxies for its `contextBridge`
 * objects in the page's world. The worlds share a private message port as an event target, and call each other
 * through it synchronously.
 */
import type { decode, encode } from './codec.ts';

type Codec = { encode: typeof encode; decode: typeof decode };
type Side = 'page' | 'preload';
type BridgeEnd = {
  call(id: number, values: unknown[]): unknown;
  encode(value: unknown): string;
  decode(text: string): unknown;
};

/** Name of the isolated world, and of the only binding from it to the main process. */
export const preloadWorld = 'electron-preload';
export const bindingName = 'standInMainProcess';

/** Returns the scripts for both worlds. The page's script must run first. */
export function worldScripts(codec: Codec, preload: string): { page: string; preload: string } {
  const handshake = `stand-in-${crypto.randomUUID()}`;
  const ends = `const encode = ${codec.encode}; const decode = ${codec.decode}; const bridgeEnd = ${bridgeEnd};`;
  const wrapped = `function (require, process, module, exports) {\n${preload}\n}`;
  return {
    page: `{ ${ends} (${pageWorld})(${JSON.stringify(handshake)}, { encode, decode }, bridgeEnd); }`,
    preload: `{ ${ends} (${isolatedWorld})(${JSON.stringify(handshake)}, { encode, decode }, bridgeEnd, ${JSON.stringify(bindingName)}, ${wrapped}); }`,
  };
}

/** One end of the bridge. Functions and promises cross it as proxies, other values as copies. */
function bridgeEnd(port: EventTarget, side: Side, codec: Codec): BridgeEnd {
  const other: Side = side === 'page' ? 'preload' : 'page';
  const functions = new Map<number, (...values: unknown[]) => unknown>();
  const ids = new Map<unknown, number>();
  const promises = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let lastId = 0;
  let result: { ok: boolean; value: string } | undefined;

  const tell = (message: object) => {
    port.dispatchEvent(new CustomEvent(`to-${other}`, { detail: JSON.stringify(message) }));
  };
  const encodeHere = (value: unknown): string =>
    codec.encode(value, (special) => {
      if (typeof special === 'function') {
        const id = ids.get(special) ?? ++lastId;
        ids.set(special, id);
        functions.set(id, special as (...values: unknown[]) => unknown);
        return ['function', id];
      }
      if (!(special instanceof Promise)) return undefined;
      const id = ++lastId;
      special.then(
        (settled) => tell({ kind: 'settled', id, ok: true, value: encodeHere(settled) }),
        (reason) => tell({ kind: 'settled', id, ok: false, value: encodeHere(reason) }),
      );
      return ['promise', id];
    });
  const call = (id: number, values: unknown[]) => {
    tell({ kind: 'call', id, values: encodeHere(values) });
    const answer = result;
    result = undefined;
    if (!answer) throw new Error('The other world did not answer');
    if (!answer.ok) throw decodeHere(answer.value);
    return decodeHere(answer.value);
  };
  const decodeHere = (text: string): unknown =>
    codec.decode(text, (tag, [id]) => {
      if (tag === 'function') return (...values: unknown[]) => call(id as number, values);
      return new Promise((resolve, reject) => promises.set(id as number, { resolve, reject }));
    });

  port.addEventListener(`to-${side}`, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail);
    if (message.kind === 'result') result = message;
    else if (message.kind === 'settled') {
      const promise = promises.get(message.id);
      promises.delete(message.id);
      if (message.ok) promise?.resolve(decodeHere(message.value));
      else promise?.reject(decodeHere(message.value));
    } else {
      let answer: object;
      try {
        const value = functions.get(message.id)?.(...(decodeHere(message.values) as unknown[]));
        answer = { kind: 'result', ok: true, value: encodeHere(value) };
      } catch (error) {
        answer = { kind: 'result', ok: false, value: encodeHere(error) };
      }
      tell(answer);
    }
  });
  return { call, encode: encodeHere, decode: decodeHere };
}

function pageWorld(handshake: string, codec: Codec, end: typeof bridgeEnd): void {
  if (window !== window.top) return;
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const meet = (event: Event) => {
    const port = (event as MessageEvent).ports[0] as EventTarget;
    const here = end(port, 'page', codec);
    port.addEventListener('expose', (exposed) => {
      const { key, api } = JSON.parse((exposed as CustomEvent<string>).detail);
      Object.defineProperty(window, key, { value: freeze(here.decode(api)), enumerable: true });
    });
  };
  window.addEventListener(handshake, meet, { once: true });
}

function isolatedWorld(
  handshake: string,
  codec: Codec,
  end: typeof bridgeEnd,
  binding: string,
  preload: (require: unknown, process: unknown, module: unknown, exports: unknown) => void,
): void {
  if (window !== window.top) return;
  const { port1: port } = new MessageChannel();
  window.dispatchEvent(new MessageEvent(handshake, { ports: [port] }));
  const here = end(port, 'preload', codec);
  const tellMain = (globalThis as unknown as Record<string, (text: string) => void>)[binding];

  const listeners = new Map<string, Set<(...values: unknown[]) => void>>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let lastId = 0;
  const add = (channel: string, listener: (...values: unknown[]) => void) => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
  };
  const remove = (channel: string, listener: (...values: unknown[]) => void) => {
    listeners.get(channel)?.delete(listener);
  };
  const ipcRenderer = {
    invoke: (channel: string, ...values: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        const text = codec.encode({ kind: 'invoke', id, channel, values });
        waiting.set(id, { resolve, reject });
        tellMain?.(text);
      }),
    on: add,
    addListener: add,
    off: remove,
    removeListener: remove,
  };
  const contextBridge = {
    exposeInMainWorld(key: string, api: unknown) {
      const detail = JSON.stringify({ key, api: here.encode(api) });
      port.dispatchEvent(new CustomEvent('expose', { detail }));
    },
  };
  // Entry point for the main process, visible in this world only.
  Object.defineProperty(globalThis, binding, {
    value: (text: string) => {
      // biome-ignore lint/suspicious/noExplicitAny: the message from web-contents.ts
      const message = codec.decode(text) as any;
      if (message.kind === 'notice') {
        for (const listener of [...(listeners.get(message.channel) ?? [])]) listener({}, ...message.values);
        return;
      }
      const invocation = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.ok) invocation?.resolve(message.value);
      else invocation?.reject(new Error(message.value));
    },
  });

  const electron = new Proxy({ contextBridge, ipcRenderer } as Record<string, object>, {
    get(modules, name) {
      const module = modules[String(name)];
      if (!module) throw new Error(`The stand-in has no '${String(name)}' in a preload script`);
      return new Proxy(module, {
        get(object, property) {
          if (property in object) return Reflect.get(object, property);
          throw new Error(`The stand-in has no ${String(name)}.${String(property)}`);
        },
      });
    },
  });
  const require = (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  preload(require, { type: 'renderer', sandboxed: true, contextIsolated: true }, module, module.exports);
}

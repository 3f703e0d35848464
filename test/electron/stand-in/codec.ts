/**
 * Serializes values like structured cloning, including those that JSON loses. Runs in Node and, as source text, in
 * both worlds of the page, so each function is self-contained.
 */

/** Encodes a value that has no text form as a tagged tuple; undefined for other values. */
export type Encoding = (value: unknown) => [tag: string, ...rest: unknown[]] | undefined;
type Decoding = (tag: string, rest: unknown[]) => unknown;

/** @throws DataCloneError for functions, symbols and other values that can't be cloned */
export function encode(root: unknown, special: Encoding = () => undefined): string {
  const seen = new Map<unknown, number>();
  const refuse = (value: unknown): never => {
    throw new DOMException(`${String(value)} could not be cloned.`, 'DataCloneError');
  };
  const base64 = (buffer: ArrayBufferLike, from: number, size: number) => {
    const bytes = new Uint8Array(buffer, from, size);
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return btoa(text);
  };
  const visit = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['number', Object.is(value, -0) ? '-0' : String(value)];
    }
    if (value === undefined) return ['undefined'];
    if (typeof value === 'bigint') return ['bigint', String(value)];
    const tagged = special(value);
    if (tagged) return tagged;
    if (typeof value !== 'object') return refuse(value);
    if (seen.has(value)) return ['seen', seen.get(value)];
    seen.set(value, seen.size);
    if (Array.isArray(value)) return ['array', value.map(visit)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof ArrayBuffer) return ['buffer', base64(value, 0, value.byteLength)];
    if (ArrayBuffer.isView(value)) {
      const name = value instanceof Uint8Array ? 'Uint8Array' : value.constructor.name;
      return ['view', name, base64(value.buffer, value.byteOffset, value.byteLength)];
    }
    if (value instanceof Map) return ['map', [...value].map(([key, held]) => [visit(key), visit(held)])];
    if (value instanceof Set) return ['set', [...value].map(visit)];
    if (value instanceof Error) return ['error', value.name, value.message];
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet)
      return refuse(value);
    return ['object', Object.entries(value).map(([key, held]) => [key, visit(held)])];
  };
  return JSON.stringify(visit(root));
}

export function decode(text: string, special: Decoding = () => undefined): unknown {
  const seen: unknown[] = [];
  const keep = <Value>(value: Value) => {
    seen.push(value);
    return value;
  };
  const buffer = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
  // biome-ignore lint/suspicious/noExplicitAny: the tag determines the shape that `encode` wrote
  const visit = (node: any): unknown => {
    if (!Array.isArray(node)) return node;
    const [tag, first, second] = node;
    switch (tag) {
      case 'undefined':
        return undefined;
      case 'number':
        return Number(first);
      case 'bigint':
        return BigInt(first);
      case 'seen':
        return seen[first];
      case 'date':
        return keep(new Date(first));
      case 'buffer':
        return keep(buffer(first));
      case 'view': {
        const View = (globalThis as unknown as Record<string, typeof Uint8Array>)[first];
        return keep(View && new View(buffer(second)));
      }
      case 'error': {
        const error = keep(new Error(second));
        error.name = first;
        return error;
      }
      case 'array': {
        const array: unknown[] = keep([]);
        for (const item of first) array.push(visit(item));
        return array;
      }
      case 'map': {
        const map = keep(new Map());
        for (const [key, held] of first) map.set(visit(key), visit(held));
        return map;
      }
      case 'set': {
        const set = keep(new Set());
        for (const item of first) set.add(visit(item));
        return set;
      }
      case 'object': {
        const object: Record<string, unknown> = keep({});
        for (const [key, held] of first) {
          Object.defineProperty(object, key, {
            value: visit(held),
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
        return object;
      }
      default:
        return special(tag, node.slice(1));
    }
  };
  return visit(JSON.parse(text));
}

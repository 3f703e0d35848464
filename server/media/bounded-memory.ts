/**
 * Gives a WebAssembly module's own memory an upper bound. A worker's resource limits do not count it, and
 * without a bound a module may take four gigabytes.
 *
 * @param bytes a module that has one memory, without a bound of its own
 * @param maximumPages how large the memory may grow, in pages of 64 KiB
 * @throws Error for another kind of module
 */
export function boundMemory(bytes: Uint8Array, maximumPages: number): Uint8Array<ArrayBuffer> {
  const memorySection = 5;
  // Behind magic number and version a module is a row of sections: identifier, length, content.
  for (let place = 8; place < bytes.length; ) {
    const identifier = bytes[place];
    const { value: length, end: start } = readNumber(bytes, place + 1);
    const end = start + length;
    if (identifier === memorySection) {
      const { value: count, end: flags } = readNumber(bytes, start);
      if (count !== 1 || bytes[flags] !== 0) break;
      const initial = bytes.subarray(flags + 1, end);
      const content = [1, 1, ...initial, ...writeNumber(maximumPages)];
      const section = Uint8Array.from([memorySection, ...writeNumber(content.length), ...content]);
      const bounded = new Uint8Array(place + section.length + bytes.length - end);
      bounded.set(bytes.subarray(0, place));
      bounded.set(section, place);
      bounded.set(bytes.subarray(end), place + section.length);
      return bounded;
    }
    place = end;
  }
  throw new Error('The module must define one memory without a maximum');
}

/** A number as WebAssembly writes it: seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, place: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[place++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: place };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)];
}

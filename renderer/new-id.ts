/** Returns a unique ID. Pages served over plain HTTP have no `crypto.randomUUID`. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

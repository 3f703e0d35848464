/** What the address of the upgrade screen says. Whatever is left out is found out: see `requestedWay`. */
export type UpgradeSearch = {
  /** The version to plan from, as it was typed; the server's own without it. */
  from?: string;
  /** The version to go to, as it was typed; the newest known one without it. */
  to?: string;
  /** Without stops. They are kept, and with them the ways back, where it isn't said. */
  way?: 'direct';
};

/** Keeps what is no version: the screen says so beside the field. */
export function validateUpgradeSearch(search: Record<string, unknown>): UpgradeSearch {
  const { from, to, way } = search;
  return {
    ...textOf('from', from),
    ...textOf('to', to),
    ...(way === 'direct' && { way }),
  };
}

/** An address like `?to=1.98` reads as a number, and is meant as text. */
function textOf<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? ({ [name]: text } as { [Key in Name]: string }) : {};
}

export const isPlain = ({ from, to, way }: UpgradeSearch) =>
  from === undefined && to === undefined && way === undefined;

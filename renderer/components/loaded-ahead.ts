import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Part<Props> = { default: ComponentType<Props> };

/**
 * A part with a script of its own, fetched before it is wanted: the server may be away by then. Once it is there it is
 * drawn together with what is around it and not after that, so that nothing moves under a pointer.
 */
export function loadedAhead<Props>(
  load: () => Promise<Part<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  let loaded: Part<Props> | undefined;
  load().then(
    (part) => {
      loaded = part;
    },
    () => {},
  );
  return lazy(() => (loaded ? givenAtOnce(loaded) : load()));
}

/** A promise gives nothing at once, whatever it has: React would draw without it and wait until it draws again. */
function givenAtOnce<Value>(value: Value): Promise<Value> {
  // biome-ignore lint/suspicious/noThenProperty: what React calls is the `then` of what it is given
  return { then: (take: (value: Value) => void) => take(value) } as Promise<Value>;
}

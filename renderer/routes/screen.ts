import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * A screen with a script of its own. Where that can't be had the screen says so: the router would load the whole
 * page again, and a server that is away has no page either.
 */
export const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: Error) => {
        throw new Error(`Missing: ${error.message}`);
      }),
    name,
  );

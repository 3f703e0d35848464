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

/**
 * Begins what a screen needs while its code is on the way. Loaders don't wait for it: each screen shows by itself
 * what is loading, failed or old. How to ask for a report, a user or a room is there from the beginning, since every
 * screen with actions needs it; the rest comes with what its screen is made of.
 */
export const ahead = (begin: () => Promise<unknown>) => void begin().catch(() => {});

import type { QueryClient } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { PagedSource } from '../api/paging.ts';

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

/** The first page of a list whose own script is on the way, too. */
export async function firstPage<Row>(queryClient: QueryClient, list: Promise<PagedSource<Row>>) {
  const [{ pageQuery }, source] = await Promise.all([import('../api/paging.ts'), list]);
  await queryClient.prefetchQuery(pageQuery(source, 0));
}

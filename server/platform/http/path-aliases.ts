/**
 * Rewrites the paths of all dialects and older API versions to the one that a route is mounted under. Mounting routes under
 * all of them would take three times as long at each start, and as much memory.
 */
import type { Dialect } from '../../../shared/dialect.ts';
import type { Mount } from './routes.ts';

type Prefixes = Pick<Mount<never>, 'prefix' | 'older'>;

export type PathAliases = {
  /** Returns the URL under which a route is mounted, with the query. */
  mounted(url: string): string;
  /** Returns the dialect of a URL. */
  dialectOf(url: string): Dialect;
  /** Returns all paths of a mounted path in a dialect. */
  pathsIn(path: string, dialect: Dialect): string[];
  /** Registers a path that the older API version doesn't have. */
  addNew(path: string): void;
};

/**
 * @param dialects the enabled ones; routes are mounted in the first
 * @param mounts returns the mounts in a dialect, in the same order for each
 */
export function createPathAliases(
  dialects: readonly [Dialect, ...Dialect[]],
  mounts: (dialect: Dialect) => readonly Prefixes[],
): PathAliases {
  const [main] = dialects;
  const own = mounts(main);
  const inEach = dialects.map((dialect) => new Set(mounts(dialect).map(({ prefix }) => headOf(prefix))));
  /** The same in each dialect. */
  const common = new Set(
    own.map(({ prefix }) => headOf(prefix)).filter((head) => inEach.every((names) => names.has(head))),
  );
  /** By the first two segments of a path, those of the main dialect. */
  const heads = new Map<string, { dialect: Dialect; head: string }>();
  for (const dialect of dialects) {
    mounts(dialect).forEach(({ prefix }, index) => {
      const head = headOf(prefix);
      if (common.has(head)) heads.set(head, { dialect: main, head });
      else heads.set(head, { dialect, head: headOf(own[index]?.prefix ?? prefix) });
    });
  }
  const olderPrefixes = own.flatMap(({ prefix, older }) =>
    older ? [{ prefix: `${prefix}/`, older: `${older}/` }] : [],
  );
  const newer = new Map<string, RegExp>();

  function inNewer(url: string): string {
    for (const { prefix, older } of olderPrefixes) {
      if (!url.startsWith(older)) continue;
      const current = prefix + url.slice(older.length);
      const [path = ''] = current.split('?', 1);
      if ([...newer.values()].some((pattern) => pattern.test(path))) return url;
      return current;
    }
    return url;
  }

  return {
    mounted(given) {
      // Requests to a proxy contain the whole URL.
      const url = given.startsWith('/') ? given : given.replace(/^https?:\/\/[^/]*/i, '');
      const head = headOf(url);
      const known = heads.get(head);
      if (!known) return given;
      return inNewer(known.dialect === main ? url : known.head + url.slice(head.length));
    },
    dialectOf: (url) => heads.get(headOf(url))?.dialect ?? main,
    pathsIn(path, dialect) {
      const paths = [path];
      if (dialects.includes(dialect) && common.has(headOf(path))) return paths;
      for (const { prefix, older } of olderPrefixes) {
        if (path.startsWith(prefix) && !newer.has(path)) paths.push(older + path.slice(prefix.length));
      }
      const head = [...heads].find(([, at]) => at.dialect === dialect && at.head === headOf(path))?.[0];
      return head === undefined ? [] : paths.map((each) => head + each.slice(headOf(each).length));
    },
    addNew(path) {
      newer.set(path, new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`));
    },
  };
}

/** Returns the first two segments of a path, such as `/_matrix/client`. */
function headOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('/', 1) + 1);
  return end === -1 ? url : url.slice(0, end);
}

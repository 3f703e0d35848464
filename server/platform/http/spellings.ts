/**
 * The names that a route has: one in each dialect, and one more where an older version of the interface has it as it
 * is. It is mounted by one of them, and asked for by any: mounted by each, routes would take three times as long at
 * every start, and as much memory for good.
 */
import type { Dialect } from '../../../shared/dialect.ts';
import type { Mount } from './routes.ts';

/** What stands under a prefix, as far as its names are concerned. */
type Names = Pick<Mount<never>, 'prefix' | 'older'>;

export type Spellings = {
  /** The address by which a route is mounted, of one by which it may be called; both with their queries. */
  mounted(url: string): string;
  /** Which dialect an address is spelled in. */
  dialectOf(url: string): Dialect;
  /** Every name in a dialect of a path that is mounted. */
  namesOf(path: string, dialect: Dialect): string[];
  /** Takes note of a path that the newer version alone has. */
  addNew(path: string): void;
};

/**
 * @param dialects that are spoken; routes are mounted in the first
 * @param mounts gives what stands where in a dialect, for each in the same order
 */
export function createSpellings(
  dialects: readonly [Dialect, ...Dialect[]],
  mounts: (dialect: Dialect) => readonly Names[],
): Spellings {
  const [main] = dialects;
  const own = mounts(main);
  /** What is called the same in every dialect. */
  const inEach = dialects.map((dialect) => new Set(mounts(dialect).map(({ prefix }) => headOf(prefix))));
  const common = new Set(
    own.map(({ prefix }) => headOf(prefix)).filter((head) => inEach.every((names) => names.has(head))),
  );
  /** Of the first two parts of a path, what they are in the main dialect. */
  const heads = new Map<string, { dialect: Dialect; head: string }>();
  for (const dialect of dialects) {
    mounts(dialect).forEach(({ prefix }, index) => {
      const head = headOf(prefix);
      if (common.has(head)) heads.set(head, { dialect: main, head });
      else heads.set(head, { dialect, head: headOf(own[index]?.prefix ?? prefix) });
    });
  }
  const aged = own.flatMap(({ prefix, older }) =>
    older ? [{ prefix: `${prefix}/`, older: `${older}/` }] : [],
  );
  const newer = new Map<string, RegExp>();

  function inNewer(url: string): string {
    for (const { prefix, older } of aged) {
      if (!url.startsWith(older)) continue;
      const current = prefix + url.slice(older.length);
      const [path = ''] = current.split('?', 1);
      // That has no older name, and nothing stands there.
      if ([...newer.values()].some((pattern) => pattern.test(path))) return url;
      return current;
    }
    return url;
  }

  return {
    mounted(given) {
      // A request to a proxy names the whole address.
      const url = given.startsWith('/') ? given : given.replace(/^https?:\/\/[^/]*/i, '');
      const called = headOf(url);
      const spelled = heads.get(called);
      if (!spelled) return given;
      return inNewer(spelled.dialect === main ? url : spelled.head + url.slice(called.length));
    },
    dialectOf: (url) => heads.get(headOf(url))?.dialect ?? main,
    namesOf(path, dialect) {
      const names = [path];
      if (dialects.includes(dialect) && common.has(headOf(path))) return names;
      for (const { prefix, older } of aged) {
        if (path.startsWith(prefix) && !newer.has(path)) names.push(older + path.slice(prefix.length));
      }
      const head = [...heads].find(([, at]) => at.dialect === dialect && at.head === headOf(path))?.[0];
      return head === undefined ? [] : names.map((name) => head + name.slice(headOf(name).length));
    },
    addNew(path) {
      newer.set(path, new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`));
    },
  };
}

/** The first two parts of a path, such as `/_matrix/client`. */
function headOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('/', 1) + 1);
  return end === -1 ? url : url.slice(0, end);
}

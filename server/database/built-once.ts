/** Queries that run for every request: to build one costs more than to run it, and it is the same each time. */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Database } from './schema.ts';
import { shortWayOf } from './short-way.ts';
import { replaceNul } from './without-nul.ts';

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** What can be put into a query that is built already: nothing of how it is built depends on these. */
export type Values = Readonly<Record<string, string | number | null>>;

/**
 * A query that is built when it is first run on an engine.
 *
 * @param build may use its values only as values: it sees stand-ins, and is never called again
 */
export function builtOnce<Given extends Values, Row>(
  build: (db: Database, values: Given) => Compilable<Row>,
): (db: Database, values: Given) => Promise<QueryResult<Row>> {
  const built = new Map<unknown, CompiledQuery<Row>>();
  const standIns = new Proxy({} as Given, { get: (_, name) => new Placeholder(String(name)) });

  return (db, values) => {
    const { adapter, plugins } = db.getExecutor();
    let query = built.get(adapter.constructor);
    if (!query) {
      query = build(db, standIns).compile();
      built.set(adapter.constructor, query);
    }
    // What plugins do to values they have done to the stand-ins.
    const given = (name: string) => (plugins.length > 0 ? replaceNul(values[name]) : values[name]);
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? given(each.name) : each,
    );
    const { sql, query: node, queryId } = query;
    const filled: CompiledQuery<Row> = { sql, parameters, query: node, queryId };
    return shortWayOf(db)?.(filled) ?? db.executeQuery(filled);
  };
}

/** Such a query for each variant of it: what can't be a value tells one from the other. */
export function builtOnceFor<Variant extends string | number, Given extends Values, Row>(
  build: (db: Database, values: Given, variant: Variant) => Compilable<Row>,
): (db: Database, variant: Variant, values: Given) => Promise<QueryResult<Row>> {
  const variants = new Map<Variant, ReturnType<typeof builtOnce<Given, Row>>>();
  return (db, variant, values) => {
    let query = variants.get(variant);
    if (!query) {
      query = builtOnce((on, given) => build(on, given, variant));
      variants.set(variant, query);
    }
    return query(db, values);
  };
}

/** Prebuilt queries: building one with Kysely takes longer than running it. */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Database } from '../schema.ts';
import { replaceNul } from './without-nul.ts';

/** Runs a query without Kysely's plugins, mutex and log, which take longer than most queries. */
export type DirectExecutor = <Row>(query: CompiledQuery<Row>) => Promise<QueryResult<Row>>;

const directExecutors = new WeakMap<Database, DirectExecutor>();

/** Makes prebuilt queries on a database or transaction use this executor. */
export const setDirectExecutor = (db: Database, execute: DirectExecutor) => directExecutors.set(db, execute);

/** Takes the place of a value while a query is built. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Values to bind to a prebuilt query; its SQL can't depend on them. */
export type Values = Readonly<Record<string, string | number | null>>;

/**
 * A query that is built when it first runs on an engine.
 *
 * @param build is called once, with placeholders in place of the values
 */
export function builtOnce<Given extends Values, Row>(
  build: (db: Database, values: Given) => Compilable<Row>,
): (db: Database, values: Given) => Promise<QueryResult<Row>> {
  const built = new Map<unknown, CompiledQuery<Row>>();
  const placeholders = new Proxy({} as Given, { get: (_, name) => new Placeholder(String(name)) });

  return (db, values) => {
    const { adapter, plugins } = db.getExecutor();
    let query = built.get(adapter.constructor);
    if (!query) {
      query = build(db, placeholders).compile();
      built.set(adapter.constructor, query);
    }
    // The plugins saw only the placeholders.
    const given = (name: string) => (plugins.length > 0 ? replaceNul(values[name]) : values[name]);
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? given(each.name) : each,
    );
    const { sql, query: node, queryId } = query;
    const filled: CompiledQuery<Row> = { sql, parameters, query: node, queryId };
    return directExecutors.get(db)?.(filled) ?? db.executeQuery(filled);
  };
}

/** Like `builtOnce`, with one query for each variant of the SQL. */
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

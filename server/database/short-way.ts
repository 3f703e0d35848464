/**
 * The short way of a query to its connection. On the usual one Kysely looks for plugins, a lock and a log; where there
 * are none of these, that takes longer than most queries, and leaves more behind to be collected than their rows.
 */
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Database } from './schema.ts';

/** Runs a query as its database would, or its transaction. */
export type ShortWay = <Row>(query: CompiledQuery<Row>) => Promise<QueryResult<Row>>;

const shortWays = new WeakMap<Database, ShortWay>();

/** Told by an engine of the databases that it opens, and of each transaction. */
export const setShortWay = (db: Database, way: ShortWay) => shortWays.set(db, way);

/** Undefined where a query has to go the way of all others. */
export const shortWayOf = (db: Database): ShortWay | undefined => shortWays.get(db);

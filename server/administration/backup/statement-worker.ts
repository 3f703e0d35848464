import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import type { StatementRun } from './copy-database.ts';

const { file, statement, values }: StatementRun = workerData;
const database = new SqliteDatabase(file, { readonly: true, timeout: 10_000 });
const rows = () => {
  const prepared = database.prepare(statement);
  if (prepared.reader) return prepared.pluck().all(...values);
  prepared.run(...values);
  return [];
};
try {
  parentPort?.postMessage(rows());
} finally {
  database.close();
}

/** Copies a SQLite database as it is at one moment, while others write; in a thread, because it takes a while. */
import { workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

const { from, to } = workerData as { from: string; to: string };
const database = new SqliteDatabase(from, { readonly: true, timeout: 10_000 });
try {
  database.prepare('vacuum into ?').run(to);
} finally {
  database.close();
}

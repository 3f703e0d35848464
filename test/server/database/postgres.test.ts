import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { requireVersion } from '../../../server/platform/database/engine.ts';
import { makeDatabase, queryDatabase } from '../database.ts';
import { startHomeserver } from '../homeserver.ts';

describe.runIf(inject('postgres'))('a PostgreSQL database', () => {
  test('with another locale than C is refused, unless allowed', async () => {
    const database = await makeDatabase('C.UTF-8');
    if (database?.config.name !== 'psycopg2') throw new Error('this is no PostgreSQL');
    await expect(openDatabase(database.config)).rejects.toThrow(
      /^database\.allow_unsafe_locale: .*'C\.UTF-8'.*LC_COLLATE='C'.*set this to true/,
    );
    const db = await openDatabase({ ...database.config, allowUnsafeLocale: true });
    await db.destroy();
    await database.drop();
  });

  test('is served by processes with one key: another key is refused while they run', async () => {
    const database = await makeDatabase();
    if (!database) throw new Error('this is no PostgreSQL');
    const first = await startHomeserver({ config: { database: database.config } });
    await expect(startHomeserver({ config: { database: database.config } })).rejects.toThrow(
      /^signing_key_path: other processes on this database use a different signing key; use the same file for all processes$/,
    );
    await first.restart();
    expect((await first.as('guest').get('/_chat/client/versions')).status).toBe(200);
    await first.remove();
    await database.drop();
  });

  test('migrated by a newer version is refused', async () => {
    const database = await makeDatabase();
    if (!database) throw new Error('this is no PostgreSQL');
    await queryDatabase(
      database.config,
      "insert into kysely_migration (name, timestamp) values ('9000-later', '2030-01-01T00:00:00.000Z')",
    );
    await expect(openDatabase(database.config)).rejects.toThrow(
      /^database: a newer version has migrated it.*; run that version or a later one$/,
    );
    await database.drop();
  });

  test("has its configured timeouts instead of the server's", async () => {
    const database = await makeDatabase();
    if (database?.config.name !== 'psycopg2') throw new Error('this is no PostgreSQL');
    const db = await openDatabase({ ...database.config, options: '-c statement_timeout=4321ms' });
    const timeouts = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    expect((await timeouts.execute(db)).rows).toEqual([{ statement: '4321ms', lock: '1s' }]);
    await db.destroy();
    await database.drop();
  });

  test('that is missing is refused without showing the password', async () => {
    const database = await makeDatabase();
    if (database?.config.name !== 'psycopg2') throw new Error('this is no PostgreSQL');
    const wrong = { ...database.config, database: 'missing', password: 'gatehouse' };
    await expect(openDatabase(wrong)).rejects.toThrow(/^database\.args: can't connect .*\(3D000\)/);
    await database.drop();
  });
});

describe('versions', () => {
  test.each([
    ['SQLite', '3.40.0', '3.39.5'],
    ['SQLite', '3.40.0', '3.8.11'],
    ['PostgreSQL', '14', '13.14 (Debian 13.14-0+deb11u1)'],
    ['PostgreSQL', '14', '9.6.24'],
  ])('%s: needs %s, refuses %s and says so', (engine, minimum, found) => {
    expect(() => requireVersion(engine, minimum, found)).toThrow(
      `database: ${engine} ${found} is too old; ${minimum} or later is required`,
    );
  });

  test.each([
    ['SQLite', '3.40.0', '3.40.0'],
    ['SQLite', '3.40.0', '3.54.1'],
    ['SQLite', '3.40.0', '4.0'],
    ['PostgreSQL', '14', '14.0'],
    ['PostgreSQL', '14', '18.4'],
  ])('%s: needs %s, accepts %s', (engine, minimum, found) => {
    expect(() => requireVersion(engine, minimum, found)).not.toThrow();
  });
});

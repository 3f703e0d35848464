/**
 * How a migration is tested: on the first build's data, which has a row in every table. A later migration gets
 * an entry that looks at what it made of those rows.
 */
import { type Kysely, sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { readAccountDataSince } from '../../../server/accounts/account-data-store.ts';
import { listUsers } from '../../../server/accounts/user-list-store.ts';
import { nextChange, settledChange, settledPlaces } from '../../../server/database/changes.ts';
import { openDatabase } from '../../../server/database/database.ts';
import { isPostgres } from '../../../server/database/engine.ts';
import { migrationNames, migrations } from '../../../server/database/migrations.ts';
import type { Schema } from '../../../server/database/schema.ts';
import { inTransaction } from '../../../server/database/transaction.ts';
import { readMediaStatistics } from '../../../server/media/media-statistics-store.ts';
import { readUnreadCounts } from '../../../server/push/unread-counts.ts';
import { listReports } from '../../../server/reports/event-report-list-store.ts';
import { type EventReport, insertReport } from '../../../server/reports/event-report-store.ts';
import {
  insertUserReport,
  listUserReports,
  type UserReport,
} from '../../../server/reports/user-report-store.ts';
import { listRooms } from '../../../server/room-administration/room-list-store.ts';
import { findEvent } from '../../../server/rooms/event-store.ts';
import { settledPlace } from '../../../server/rooms/settled-place.ts';
import { listTags } from '../../../server/rooms/tag-store.ts';
import { copyFixture } from './fixture.ts';

/** The last migration of the first build. */
const firstBuild = '0008-room-traces';

/** For each later migration: what has to be true of the first build's rows when it is through. */
const later: Record<string, (db: Kysely<Schema>) => Promise<void>> = {
  async '0009-tasks-queue'(db) {
    const tasks = await db.selectFrom('scheduled_tasks').selectAll().execute();
    expect(tasks.length).toBeGreaterThan(0);
    for (const { status, action, resource_id, pending_key, turn, requested_by } of tasks) {
      const waits = status === 'scheduled' && resource_id !== null;
      expect({ pending_key, turn, requested_by }).toEqual({
        pending_key: waits ? `${action} ${resource_id}` : null,
        turn: 0,
        requested_by: null,
      });
    }
  },

  // Processes share a PostgreSQL database, and never a SQLite file.
  async '0009-token-buckets'(db) {
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    expect(tables.includes('token_buckets')).toBe(inject('postgres') !== undefined);
  },

  // What is active in the data of an older build, which had no leases, is nobody's.
  async '0010-several-processes'(db) {
    const tasks = await db.selectFrom('scheduled_tasks').select(['lease_number', 'lease_until']).execute();
    for (const task of tasks) expect(task).toEqual({ lease_number: 0, lease_until: 0 });
  },

  async '0011-report-lists'(db) {
    const reports = await db.selectFrom('event_reports').select(['room_id', 'user_id', 'sender']).execute();
    expect(reports.length).toBeGreaterThan(0);
    const totals = await db.selectFrom('event_report_totals').selectAll().execute();
    for (const { room_id, user_id, sender, part, total } of totals) {
      const matching = reports.filter(
        (report) =>
          [report.room_id, ''].includes(room_id) &&
          [report.user_id, ''].includes(user_id) &&
          [report.sender, ''].includes(sender),
      );
      expect({ part, total }).toEqual({ part: 0, total: matching.length });
    }
    expect(totals.map(({ room_id, user_id, sender }) => room_id + user_id + sender)).toContain('');
    expect(await db.selectFrom('event_report_order').select('changes').execute()).toEqual([{ changes: 0 }]);
  },

  async '0012-settled-events'(db) {
    const newest = await db.selectFrom('events').select(({ fn }) => fn.max('stream_ordering').as('place'));
    expect(await settledPlace(db)).toBe((await newest.executeTakeFirstOrThrow()).place);
  },

  async '0014-settled-reports'(db) {
    const { reports, total } = await listReports(db, {}, { from: 0, limit: 1_000, dir: 'b' });
    const all = await db.selectFrom('event_reports').select('id').execute();
    expect(reports.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    expect(total).toBe(all.length);
    const next = { ...(reports[0] as EventReport), reason: 'new' };
    const id = await inTransaction(db, (tx) => insertReport(tx, next));
    expect(id).toBeGreaterThan(Math.max(...all.map((report) => report.id)));
    const { reports: after } = await listReports(db, {}, { from: 0, limit: 1, dir: 'b' });
    expect(after).toMatchObject([{ id, reason: 'new' }]);
  },

  async '0015-media-uploaders'(db) {
    const query = { from: 0, limit: 1_000, orderBy: 'media_length', direction: 'b' } as const;
    const { users, total } = await readMediaStatistics(db, query);
    const all = await db.selectFrom('media').select('user_id').distinct().execute();
    expect(users.map(({ userId }) => userId).sort()).toEqual(all.map(({ user_id }) => user_id).sort());
    expect(total).toBe(users.length);
  },

  async '0016-changes'(db) {
    const events = await settledPlace(db);
    expect(await settledPlaces(db)).toEqual({ events, changes: 0, newestEvent: events, newestChange: 0 });
    expect(await inTransaction(db, nextChange)).toBe(1);
    expect(await settledChange(db)).toBe(1);
  },

  async '0017-sync'(db) {
    const filter = { user_id: '@alice:localhost', filter_id: 'x', filter: '{}' };
    await db.insertInto('filters').values(filter).execute();
    expect(await db.selectFrom('filters').selectAll().execute()).toEqual([filter]);
    expect(await db.selectFrom('sliding_positions').selectAll().execute()).toEqual([]);
  },

  // What belongs to a device goes with it.
  async '0018-encryption'(db) {
    const { user_id } = await db.selectFrom('users').select('user_id').limit(1).executeTakeFirstOrThrow();
    const device = { user_id, device_id: 'ENCRYPTS' };
    const signature = { target_user_id: user_id, target_key: 'ENCRYPTS', key_id: 'ed25519:x', signature: '' };
    await db.insertInto('devices').values(device).execute();
    await db
      .insertInto('device_keys')
      .values({ ...device, json: '{}' })
      .execute();
    await db
      .insertInto('key_signatures')
      .values({ ...signature, user_id })
      .execute();
    await db.deleteFrom('devices').where('device_id', '=', 'ENCRYPTS').execute();
    expect(await db.selectFrom('device_keys').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('key_signatures').selectAll().execute()).toEqual([]);
  },

  // What was kept before is older than any change, and a room's tags are account data.
  async '0020-receipts'(db) {
    const rows = await db.selectFrom('account_data').selectAll().execute();
    expect(rows.map(({ stream_id }) => stream_id)).toEqual(rows.map(() => 0));
    const tags = rows.find(({ type }) => type === 'm.tag');
    expect(JSON.parse(tags?.content ?? '')).toEqual({ tags: { 'm.favourite': { order: 0.5 } } });
    const userId = tags?.user_id ?? '';
    expect(await listTags(db, userId, tags?.room_id ?? '')).toEqual({ 'm.favourite': { order: 0.5 } });
    const kept = await readAccountDataSince(db, { userId, after: undefined, upTo: 0 });
    expect(kept.map(({ type }) => type)).toContain('m.tag');
  },

  // Nobody had rules of their own.
  async '0021-push'(db) {
    expect(await db.selectFrom('push_rule_version').selectAll().execute()).toEqual([{ version: 0 }]);
    const { user_id: userId } = await db
      .selectFrom('memberships')
      .select('user_id')
      .executeTakeFirstOrThrow();
    const unread = await readUnreadCounts(db, { userId });
    for (const room of unread.values()) expect(room.main).toEqual({ notifications: 0, highlights: 0 });
  },

  async '0022-profile-fields'(db) {
    expect(await db.selectFrom('profile_fields').selectAll().execute()).toEqual([]);
  },

  // Tokens from before were handed out without any to refresh them.
  async '0022-refresh-tokens'(db) {
    const tokens = await db.selectFrom('access_tokens').select('unused').execute();
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) expect(token).toEqual({ unused: 0 });
  },

  async '0022-relations'(db) {
    const updates = await db.selectFrom('background_updates').select('name').execute();
    expect(updates).toContainEqual({ name: 'populate_relations' });
  },

  async '0022-room-versions'(db) {
    const [event] = await db.selectFrom('events').select('event_id').limit(1).execute();
    expect(await findEvent(db, event?.event_id ?? '')).toMatchObject({ roomVersion: '11' });
  },

  // What has a name among messages may have the same among other events.
  async '0022-transactions-by-type'(db) {
    const event = await db
      .selectFrom('events')
      .selectAll()
      .where('transaction_id', 'is not', null)
      .executeTakeFirstOrThrow();
    const { stream_ordering: _, ...copy } = event;
    const values = { ...copy, event_id: '$copy', type: 'org.example' };
    await db.insertInto('events').values(values).execute();
    await expect(
      db
        .insertInto('events')
        .values({ ...values, event_id: '$again' })
        .execute(),
    ).rejects.toThrow();
    await db.deleteFrom('events').where('event_id', '=', '$copy').execute();
  },

  async '0023-openid-tokens'(db) {
    expect(await db.selectFrom('openid_tokens').selectAll().execute()).toEqual([]);
  },

  async '0023-search'(db) {
    const updates = await db.selectFrom('background_updates').select('name').execute();
    expect(updates).toContainEqual({ name: 'populate_search' });
  },

  async '0024-totals-in-parts'(db) {
    for (const notUserType of [undefined, 'bot']) {
      const { users, total } = await listUsers(db, {
        ...{ from: 0, limit: 1_000, orderBy: 'name', direction: 'f', guests: true, deactivated: true },
        ...{ locked: true, notUserType },
      });
      expect(total).toBe(users.length);
      expect(total).toBeGreaterThan(0);
    }
    const { rooms, total } = await listRooms(db, { from: 0, limit: 1_000, orderBy: 'name', direction: 'f' });
    expect(total).toBe(rooms.length);
    expect(total).toBeGreaterThan(0);
  },

  async '0025-settled-user-reports'(db) {
    const page = { from: 0, limit: 1_000, dir: 'b' } as const;
    const before = await listUserReports(db, {}, page);
    expect(before.total).toBeGreaterThan(0);
    expect(before.reports).toHaveLength(before.total);
    const { userId, targetUserId } = before.reports[0] as UserReport;
    await inTransaction(db, (tx) =>
      insertUserReport(tx, { receivedTs: Date.now(), targetUserId, userId, reason: 'new' }),
    );
    const after = await listUserReports(db, { userId }, { ...page, limit: 1 });
    expect(after.reports).toMatchObject([{ reason: 'new' }]);
    expect((await listUserReports(db, {}, page)).total).toBe(before.total + 1);
  },

  async '0026-guests'(db) {
    const users = await db.selectFrom('users').select('is_guest').execute();
    expect(users.length).toBeGreaterThan(0);
    for (const user of users) expect(user).toEqual({ is_guest: 0 });
  },

  async '0026-registration-sessions'(db) {
    const session = { session_id: 'new', expires_ts: 1, said: '{}', result: '@someone:localhost' };
    await db.insertInto('interactive_sessions').values(session).execute();
    expect(await db.selectFrom('interactive_sessions').select(['said', 'result']).execute()).toContainEqual({
      said: '{}',
      result: '@someone:localhost',
    });
    await db.deleteFrom('interactive_sessions').where('session_id', '=', 'new').execute();
  },

  async '0028-redacted-events'(db) {
    const { redacted_by } = await db
      .selectFrom('events')
      .select('redacted_by')
      .where('redacted_by', 'is not', null)
      .orderBy('room_id')
      .orderBy('stream_ordering')
      .executeTakeFirstOrThrow();
    expect(redacted_by).toMatch(/^\$/);
  },

  async '0029-user-words'(db) {
    const updates = await db.selectFrom('background_updates').select('name').execute();
    expect(updates).toContainEqual({ name: 'populate_user_words' });
  },

  async '0027-cross-signing-reset'(db) {
    expect(await db.selectFrom('cross_signing_keys').select('free_until_ts').execute()).toEqual([]);
  },

  async '0027-url-previews'(db) {
    expect(await db.selectFrom('url_previews').selectAll().execute()).toEqual([]);
  },

  // The index is filled again from the first event on.
  async '0032-search-prefixes'(db) {
    const updates = await db.selectFrom('background_updates').select('name').execute();
    expect(updates).toContainEqual({ name: 'populate_search' });
    const places = await db
      .selectFrom('server_facts')
      .select('value')
      .where('name', '=', 'search_index_place');
    expect(await places.execute()).toEqual([]);
  },

  async '0033-thread-subscriptions'(db) {
    expect(await db.selectFrom('thread_subscriptions').selectAll().execute()).toEqual([]);
  },

  async '0035-pusher-badges'(db) {
    expect(await db.selectFrom('pushers').select('badged').execute()).toEqual([]);
  },

  async '0038-app-service-rooms'(db) {
    expect(await db.selectFrom('app_service_rooms').selectAll().execute()).toEqual([]);
  },

  async '0041-report-places'(db) {
    expect(await db.selectFrom('event_report_places').selectAll().execute()).toEqual([]);
    const { changes, followed } = await db
      .selectFrom('event_report_order')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(followed).toBe(changes);
  },

  async '0042-report-events'(db) {
    const indexes = isPostgres(db)
      ? sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'event_reports'`
      : sql<{ name: string }>`
          select name from sqlite_master where type = 'index' and tbl_name = 'event_reports'`;
    const { rows } = await indexes.execute(db);
    expect(rows).not.toEqual([]);
    expect(rows.map(({ name }) => name)).not.toContain('event_reports_event');
    expect(await db.selectFrom('event_reports').select('event_id').execute()).not.toEqual([]);
  },

  // What earlier builds left of deleted reports goes, also where one part counts what another has taken away.
  async '0043-empty-report-totals'(db) {
    const read = async () => ({
      events: await db.selectFrom('event_report_totals').selectAll().execute(),
      users: await db.selectFrom('user_report_totals').selectAll().execute(),
      places: await db.selectFrom('event_report_places').selectAll().execute(),
    });
    const before = await read();
    const list = { room_id: '!gone', user_id: '@bob:localhost', sender: '@eve:localhost' };
    const about = { target_user_id: '@eve:localhost', user_id: '@bob:localhost' };
    const parts = [
      { part: 2, total: 1 },
      { part: 3, total: -1 },
    ];
    await db
      .insertInto('event_report_totals')
      .values(parts.map((part) => ({ ...list, ...part })))
      .execute();
    await db
      .insertInto('user_report_totals')
      .values([{ ...about, part: 0, total: 0 }])
      .execute();
    await db
      .insertInto('event_report_places')
      .values({ ...list, received_ts: 1, id: 1, reports: 0 })
      .execute();
    await db.transaction().execute(async (tx) => migrations['0043-empty-report-totals']?.up(tx));
    const after = await read();
    expect(after.events).toEqual(expect.arrayContaining(before.events));
    expect(after).toEqual({ ...before, events: expect.any(Array) });
    expect(after.events).toHaveLength(before.events.length);
    expect(before.events.length).toBeGreaterThan(0);
  },
};

test('every later migration is tested on data that the first build made', async () => {
  expect(migrationNames.filter((name) => name > firstBuild)).toEqual(Object.keys(later));
  const { database, remove } = await copyFixture('first-build');
  const db = await openDatabase(database);
  for (const check of Object.values(later)) await check(db);
  await db.destroy();
  await remove();
});

test('the data that migrations are tested on has something in every table', async () => {
  const { database, remove } = await copyFixture('first-build');
  const db = await openDatabase(database);
  const empty: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const row = await db
      .selectFrom(name as keyof Schema)
      .select(({ lit }) => lit(1).as('there'))
      .limit(1)
      .executeTakeFirst();
    if (!row) empty.push(name);
  }
  // Background updates fill the first two and the last two; users the others.
  const later = [
    'event_relations',
    'threads',
    'profile_fields',
    'refresh_tokens',
    'openid_tokens',
    'url_previews',
    'search_index',
    'user_words',
  ];
  // No list of it is long.
  later.push('event_report_places');
  if (!inject('postgres')) later.push('search_index_docsize', 'search_index_idx');
  // Nobody is on the way with anything, has been slowed down, has synced or has said how far they have read yet.
  const people = [
    'presence',
    'presence_connections',
    'receipts',
    'typing',
    'filters',
    'sliding_positions',
    'thread_subscriptions',
  ];
  // Nor has anything happened that somebody is notified of.
  const push = [
    ...['push_rules', 'push_apart', 'pushers', 'notifying_events', 'own_notifications'],
    ...['app_service_places', 'app_service_rooms', 'duties'],
  ];
  const underWay = ['interactive_sessions', 'used_nonces', ...people];
  // The first build kept nothing that clients encrypt with.
  const encryption = [
    ...['device_keys', 'one_time_keys', 'fallback_keys', 'to_device_messages', 'to_device_transactions'],
    ...['dehydrated_devices', 'device_list_changes', 'cross_signing_keys', 'key_signatures'],
    ...['key_backups', 'key_backup_sessions'],
  ];
  const onPostgres = inject('postgres') ? ['token_buckets'] : [];
  expect(empty.sort()).toEqual(
    ['deleted_media', ...later, ...underWay, ...encryption, ...push, ...onPostgres].sort(),
  );
  await db.destroy();
  await remove();
});

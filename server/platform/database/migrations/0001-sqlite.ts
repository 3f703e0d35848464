/** Schema for SQLite only: search by FTS5, the counter of changes, and triggers in its own language. */
import type { Spelling } from './0001-tables.ts';

const id = 'integer primary key autoincrement';

export const spelling: Spelling = {
  id,
  assignableId: id,
  bytewise: '',
  unlogged: '',
  withoutRowid: 'without rowid',
};

export const afterTables: string[] = [
  'create table change_place (place integer not null)',
  'insert into change_place (place) values (0)',

  // The prefix indexes make a search for the beginning of a common word as fast as one for a rare word.
  `create virtual table search_index using fts5(
    words, room, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0',
    detail='column', prefix='1 2 3 4 5 6 7 8 9 10 11 12'
  )`,
  `create trigger forget_searched_words after delete on events begin
    delete from search_index where rowid = old.stream_ordering;
  end`,

  `create trigger forget_device_signatures after delete on devices begin
    delete from key_signatures where target_user_id = old.user_id and target_key = old.device_id;
  end`,

  `create trigger count_new_media_uploaders after insert on media_totals when new.media_count > 0 begin
    update media_uploaders set total = total + 1;
  end`,
  `create trigger count_media_uploaders after update of media_count on media_totals
    when (old.media_count > 0) <> (new.media_count > 0) begin
    update media_uploaders set total = total + (new.media_count > 0) - (old.media_count > 0);
  end`,
  'insert into media_uploaders (part, total) values (0, 0)',
];

/** Filters and order of a user's media that the server lacks. */
import { expect, test } from 'vitest';
import type { Medium } from '../../renderer/api/media.ts';
import { filterMedia, isFiltered, type UserMediaSearch } from '../../renderer/subjects/media/media-search.ts';

const at = (time: string) => new Date(time).getTime();
const medium = (media_id: string, more: Partial<Medium> = {}): Medium => ({ media_id, ...more }) as Medium;
const media = [
  medium('cat', {
    upload_name: 'Cat.PNG',
    media_type: 'image/png',
    media_length: 100,
    created_ts: at('2026-03-01T00:00'),
  }),
  medium('film', {
    media_type: 'VIDEO/mp4',
    media_length: 300,
    created_ts: at('2026-03-01T23:59:59.999'),
    quarantined_by: '@m:x',
  }),
  medium('song', {
    media_type: 'audio/ogg',
    media_length: 200,
    created_ts: at('2026-03-02T00:00'),
    safe_from_quarantine: true,
    last_access_ts: 5,
  }),
  medium('text', { media_type: 'text/plain', sha256: 'ABCDEF', last_access_ts: 0 }),
  medium('none', { last_access_ts: null }),
];
const found = (search: UserMediaSearch) =>
  filterMedia(media, search, { order: 'created_ts', dir: 'f' })
    .map(({ media_id }) => media_id)
    .sort();

test.each<[string, UserMediaSearch, string[]]>([
  ['no filter', {}, ['cat', 'film', 'none', 'song', 'text']],
  ['a name, ignoring case', { text: 'cat.png' }, ['cat']],
  ['an ID', { text: 'SON' }, ['song']],
  ['a type', { text: 'mp4' }, ['film']],
  ['a hash', { text: 'abcd' }, ['text']],
  ['images', { kind: 'image' }, ['cat']],
  ['videos, ignoring case', { kind: 'video' }, ['film']],
  ['audio', { kind: 'audio' }, ['song']],
  ['other and unknown types', { kind: 'other' }, ['none', 'text']],
  ['quarantined', { state: 'quarantined' }, ['film']],
  ['protected', { state: 'protected' }, ['song']],
  ['never accessed', { state: 'unused' }, ['cat', 'film', 'none', 'text']],
  ['larger, not as large', { larger: 200 }, ['film']],
  ['from the start of a day', { from: '2026-03-02' }, ['song']],
  ['until the end of a day', { until: '2026-03-01' }, ['cat', 'film', 'none', 'text']],
  ['on one day', { from: '2026-03-01', until: '2026-03-01' }, ['cat', 'film']],
  ['all filters that apply', { kind: 'video', larger: 299, state: 'unused' }, ['film']],
  ['filters of which one fails', { kind: 'video', larger: 300 }, []],
])('media are filtered by %s', (_, search, expected) => {
  expect(found(search)).toEqual(expected);
  expect(isFiltered(search)).toBe(Object.keys(search).length > 0);
});

test.each([
  ['media_length', 'f', ['none', 'text', 'cat', 'song', 'film']],
  ['media_length', 'b', ['film', 'song', 'cat', 'none', 'text']],
  ['upload_name', 'f', ['film', 'none', 'song', 'text', 'cat']],
  ['safe_from_quarantine', 'b', ['song', 'cat', 'film', 'none', 'text']],
] as const)(
  'media are sorted by %s, %s, missing values first and equal ones by ID',
  (order, dir, expected) => {
    expect(filterMedia(media, {}, { order, dir }).map(({ media_id }) => media_id)).toEqual(expected);
  },
);

import { expect, test } from 'vitest';
import { eventIdOfLink, parseMediaUri, parsePastedId } from '../../renderer/components/pasted-id.ts';

const alice = '@alice:example.org';

test.each([
  [`https://matrix.to/#/${alice}`, alice],
  [`https://matrix.to/#/%40alice%3Aexample.org?via=example.org`, alice],
  ['https://matrix.to/#/%23general%3Aexample.org', '#general:example.org'],
  ['https://matrix.to/#/!room:example.org/$event?via=example.org', '!room:example.org'],
  [`https://app.chat.example/#/user/${alice}`, alice],
  ['https://app.chat.example/#/room/!room:example.org/$event', '!room:example.org'],
  ['matrix:u/alice:example.org?action=chat', alice],
  ['matrix:r/general:example.org', '#general:example.org'],
  ['matrix:roomid/room:example.org/e/event?via=example.org', '!room:example.org'],
  ['MATRIX:U/alice:example.org', alice],
  ['gatehouse://example.org/user/%40alice%3Aexample.org', alice],
  [`<${alice}>`, alice],
  [`“${alice}”, `, alice],
  [`(${alice}).`, alice],
  [`${alice},`, alice],
  [`\u2068${alice}\u2069`, alice],
  ['<https://matrix.to/#/@alice:example.org>', alice],
  ['!0123456789abcdef', '!0123456789abcdef'],
])('%j names %s', (pasted, id) => {
  expect(parsePastedId(pasted)).toBe(id);
});

test.each([
  '',
  'alice',
  'alice@example.org',
  // Text that's still being typed.
  `${alice}.`,
  '!important ',
  '"quoted words"',
  `${alice} and @bob:example.org`,
  'https://example.org/@alice',
  'https://matrix.to/#/%',
  'https://matrix.to/#/nobody',
  'matrix:u/',
  'gatehouse://example.org/report/12',
])('%j stays unchanged', (typed) => {
  expect(parsePastedId(typed)).toBe(typed);
});

test.each([
  ['https://matrix.to/#/!room:example.org/$event:example.org?via=example.org', '$event:example.org'],
  ['https://app.chat.example/#/room/!room:example.org/%24event', '$event'],
  ['matrix:roomid/room:example.org/e/event?via=example.org', '$event'],
  ['https://matrix.to/#/!room:example.org?via=$event', undefined],
  ['matrix:u/alice:example.org', undefined],
  ['$event', undefined],
])('%j links to the event %s', (pasted, id) => {
  expect(eventIdOfLink(pasted)).toBe(id);
});

test.each([
  'mxc://example.org/abc',
  'https://example.org/_chat/media/v3/download/example.org/abc/name.png?x=1',
])('%j is a media address', (text) => {
  expect(parseMediaUri(text)).toEqual({ origin: 'example.org', mediaId: 'abc' });
});

test.each(['mxc://example.org', 'https://example.org/abc', 'abc'])("%j isn't one", (text) => {
  expect(parseMediaUri(text)).toBeUndefined();
});

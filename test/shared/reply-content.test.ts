import { expect, test } from 'vitest';
import { parseJson, readAtMost } from '../../shared/reply-content.ts';

const backslash = '\\';

test.each([
  ['a whole character in two halves', `"${backslash}uD83d${backslash}ude00"`, '\u{1f600}'],
  ['the first half of one', `"a${backslash}ud83db"`, 'a\ufffdb'],
  ['the second half of one', `"${backslash}uDE00"`, '\ufffd'],
  ['halves the wrong way round', `"${backslash}ude00${backslash}ud83d"`, '\ufffd\ufffd'],
  ['a half before a whole one', `"${backslash}ud83d${backslash}ud83d${backslash}ude00"`, '\ufffd\u{1f600}'],
  ['a backslash, and then letters', `"${backslash}${backslash}ud83d"`, `${backslash}ud83d`],
  ['a backslash before a half', `"${backslash}${backslash}${backslash}ud83d"`, `${backslash}\ufffd`],
  ['a half in a name', `{"${backslash}ud83d": [1]}`, { '\ufffd': [1] }],
  ['invalid JSON', `"${backslash}ud83d`, undefined],
])('reads %s', (_, text, value) => {
  expect(parseJson(new TextEncoder().encode(text))).toEqual(value);
});

test.each([
  [0, true],
  [3, true],
  [4, false],
])('of a limit of 3 bytes, accepts %i bytes: %s', async (size, isAccepted) => {
  const read = readAtMost(new Response(new Uint8Array(size)), 3).then(
    (bytes) => bytes.byteLength === size,
    ({ code }) => code !== 'refused',
  );
  expect(await read).toBe(isAccepted);
});

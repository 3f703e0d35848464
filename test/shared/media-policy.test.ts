import { expect, test } from 'vitest';
import { firstThatHas, imageType, mediaUrls, pictureType } from '../../shared/media-policy.ts';

const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));

test.each([
  ['WebP', 'RIFF\x00\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['PNG', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF', 'GIF89a', 'image/gif'],
  ['JPEG', '\xff\xd8\xff\xe0', 'image/jpeg'],
])('shows %s', (_, content, type) => {
  expect(imageType({ status: 200, bytes: bytes(content) })).toBe(type);
});

test.each([
  ['audio in the container of WebP', 'RIFF\x00\x00\x00\x00WAVEfmt '],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['nothing', ''],
])('refuses %s', (_, content) => {
  expect(() => imageType({ status: 200, bytes: bytes(content) })).toThrow('Unsafe image format');
});

test('the whole image is shown if the server has no preview', async () => {
  const asked: string[] = [];
  const reply = await firstThatHas(['preview', 'whole', 'never'], async (url) => {
    asked.push(url);
    return { status: url === 'preview' ? 404 : 200, bytes: bytes(url) };
  });
  expect(asked).toEqual(['preview', 'whole']);
  expect(reply).toEqual({ status: 200, bytes: bytes('whole') });
});

const connection = {
  id: '',
  baseUrl: 'https://a',
  dialect: 'matrix',
  userId: '@a:a',
  local: false,
} as const;

test.each(['https://a/b', 'mxc://a', 'mxc://a/', 'mxc://../b', 'mxc://a/..', 'mxc://a/b/c', 'mxc://a/b?c'])(
  '%s is no image',
  (uri) => {
    expect(() => mediaUrls(connection, { uri })).toThrow('Invalid image address');
  },
);

test('an image of up to 10 MB can be uploaded', () => {
  const image = new Uint8Array(10 * 1024 * 1024);
  image.set(bytes('GIF89a'));
  expect(pictureType(image)).toBe('image/gif');
  const larger = new Uint8Array(image.byteLength + 1);
  larger.set(image);
  expect(() => pictureType(larger)).toThrow('The image exceeds');
});

test('a thumbnail is never replaced by the whole', () => {
  expect(mediaUrls(connection, { uri: 'mxc://a/b', thumbnail: 96 })).toEqual([
    'https://a/_matrix/client/v1/media/thumbnail/a/b?width=96&height=96&method=crop',
  ]);
  expect(mediaUrls(connection, { uri: 'mxc://a/b', preview: true })).toHaveLength(2);
});

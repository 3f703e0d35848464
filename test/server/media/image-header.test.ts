import { describe, expect, test } from 'vitest';
import { readImageHeader } from '../../../server/identity/media/image-header.ts';
import { gif, jpeg, png, webp, webpWithHugeFrame, withOrientation } from './images.ts';

test.each([
  ['PNG', png(300, 20), { format: 'png', width: 300, height: 20, orientation: 1 }],
  ['JPEG', jpeg(300, 20), { format: 'jpeg', width: 300, height: 20, orientation: 1 }],
  [
    'turned JPEG',
    withOrientation(jpeg(30, 20), 6),
    { format: 'jpeg', width: 30, height: 20, orientation: 6 },
  ],
  ['JPEG turned in no known way', withOrientation(jpeg(3, 2), 9), { orientation: 1 }],
  ['GIF', gif, { format: 'gif', width: 1, height: 1, orientation: 1 }],
  ['lossless WebP', webp(300, 20), { format: 'webp', width: 300, height: 20, orientation: 1 }],
  ['extended WebP', webpWithHugeFrame(), { format: 'webp', width: 10, height: 10, orientation: 1 }],
  [
    'lossy WebP',
    Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\x14\x40', 'latin1'),
    { format: 'webp', width: 300, height: 20, orientation: 1 },
  ],
])('reads the size of a %s', (_, picture, header) => {
  expect(readImageHeader(picture)).toMatchObject(header);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['markup', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a PNG without a size', png(1, 1).subarray(0, 20)],
  ['a PNG of no width', Buffer.concat([png(1, 1).subarray(0, 16), Buffer.alloc(8)])],
  ['a GIF without a size', gif.subarray(0, 8)],
  ['a WebP without a size', webp(1, 1).subarray(0, 20)],
  ['a WebP of an unknown kind', Buffer.from('RIFF\0\0\0\0WEBPVP9 \0\0\0\0', 'latin1')],
  ['a JPEG without content', Buffer.from([0xff, 0xd8])],
  ['a JPEG with segments of no length', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0])],
  ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1000, 0xff)])],
])("doesn't take %s for an image", (_, content) => {
  expect(readImageHeader(content)).toBeUndefined();
});

describe('truncated', () => {
  test.each([
    ['PNG', png(4, 4)],
    ['JPEG', withOrientation(jpeg(4, 4), 3)],
    ['GIF', gif],
    ['WebP', webp(4, 4)],
  ])('a %s never fails', (_, picture) => {
    for (let length = 0; length < picture.length; length++) {
      expect(() => readImageHeader(picture.subarray(0, length))).not.toThrow();
    }
  });
});

import { expect, test } from 'vitest';
import { sizeName, thumbnailSize } from '../../../server/identity/media/thumbnail-size.ts';

test.each<[number, number, 'crop' | 'scale', string]>([
  [1, 1, 'crop', '32x32-crop'],
  [32, 32, 'crop', '32x32-crop'],
  [33, 32, 'crop', '96x96-crop'],
  [32, 33, 'crop', '96x96-crop'],
  [96, 96, 'crop', '96x96-crop'],
  [97, 1, 'crop', '96x96-crop'],
  [1, 1, 'scale', '320x240-scale'],
  [320, 240, 'scale', '320x240-scale'],
  [320, 5_000, 'scale', '320x240-scale'],
  [5_000, 240, 'scale', '320x240-scale'],
  [321, 241, 'scale', '640x480-scale'],
  [641, 481, 'scale', '800x600-scale'],
  [801, 601, 'scale', '800x600-scale'],
])('%i × %i by %s is %s', (width, height, method, name) => {
  expect(sizeName(thumbnailSize({ width, height, method }))).toBe(name);
});

import { byteFormat, number } from '../words/format.ts';

/** A number of bytes as people say it: `940 B`, `60 kB`, `1.4 MB`, `12 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`;
  if (bytes < 1_000_000) return byteFormat('kilobyte').format(Math.round(bytes / 1000));
  if (bytes < 1_000_000_000) return byteFormat('megabyte').format(bytes / 1_000_000);
  return byteFormat('gigabyte').format(bytes / 1_000_000_000);
}

/** Backups altered by a third party, with a matching manifest. */
import { createReadStream, createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { createDigest } from '../../../server/administration/backup/archive.ts';

type Alteration = {
  /** Returns a file's new content. */
  change?: (name: string, content: Buffer) => Buffer | string;
  /** The archive's configuration, added if missing. */
  settings?: string;
  /** A name to repeat in the archive. */
  twice?: string;
};

/** Writes a copy of an archive with changed files. Returns its path. */
export async function writeAltered(
  archive: string,
  path: string,
  { change = (_name, content) => content, settings, twice }: Alteration,
): Promise<string> {
  const [from, to] = [extract(), pack()];
  const digest = createDigest();
  const written = pipeline(to, createWriteStream(path));
  const add = (entry: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    if (entry !== 'manifest.json') {
      digest.begin(entry, bytes.length);
      digest.add(bytes);
    }
    to.entry({ name: entry }, bytes);
  };
  if (settings !== undefined) add('homeserver.yaml', settings);
  const read = pipeline(createReadStream(archive), from);
  for await (const entry of from) {
    const content = await buffer(entry);
    if (entry.header.name === 'homeserver.yaml' && settings !== undefined) continue;
    if (entry.header.name === 'manifest.json') {
      if (twice !== undefined) add(twice, 'once more');
      const manifest = JSON.parse(String(change('manifest.json', content)));
      add('manifest.json', JSON.stringify({ ...manifest, ...digest.end() }));
    } else add(entry.header.name, change(entry.header.name, content));
  }
  await read;
  to.finalize();
  await written;
  return path;
}

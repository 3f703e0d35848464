/** Where the parts of a backup go. */
import { isAbsolute, relative, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { databaseEntry, keyEntry, mediaFolder, settingsEntry } from './archive.ts';
import type { Move } from './unfinished-restore.ts';

/**
 * The database last: with it, there is a server. The first of each two is as it is called in the backup.
 *
 * @param settingsFile where the backup's own configuration goes, if it is the one to restore with
 * @throws ConfigurationError where one would be in another's way, or the backup's configuration has one elsewhere
 */
export function placesFor(config: Config, settingsFile: string | undefined): Move[] {
  const { dataDir, database, signingKeyPath, mediaStorePath } = config;
  const places: Move[] = [
    ...(settingsFile ? [[settingsEntry, settingsFile] as Move] : []),
    [mediaFolder, mediaStorePath],
    [keyEntry, signingKeyPath],
    ...(database.name === 'sqlite3' ? [[databaseEntry, database.file] as Move] : []),
  ];
  if (settingsFile) requireWithin(dataDir, places);
  requireApart(places, settingsFile !== undefined);
  return places;
}

/** Whoever made the archive says nothing about other places of this machine. */
function requireWithin(dataDir: string, places: Move[]): void {
  for (const [what, to] of places) {
    const way = relative(dataDir, to);
    if (way !== '' && !way.startsWith('..') && !isAbsolute(way)) continue;
    throw new ConfigurationError(
      settingsEntry,
      `the backup's configuration places ${what} at ${to}, outside the data directory`,
      'to allow this, set the configuration to restore with in --config',
    );
  }
}

/** What is put last would be all that is left of two. */
function requireApart(places: Move[], isOfBackup: boolean): void {
  for (const [index, later] of places.entries()) {
    const earlier = places.slice(0, index).find((each) => areInTheWay(each, later));
    if (!earlier) continue;
    const [[what, to], [other, otherTo]] = [earlier, later];
    throw new ConfigurationError(
      isOfBackup ? settingsEntry : '--config',
      `the ${isOfBackup ? "backup's " : ''}configuration places ${what} at ${to} and ${other} at ${otherTo}, which conflict`,
      isOfBackup ? 'set another configuration to restore with in --config' : 'use separate paths',
    );
  }
}

/** What is put among the media, which are a folder and come before it, is in nobody's way. */
const areInTheWay = ([what, place]: Move, [other, otherPlace]: Move) =>
  isAt(place, otherPlace) ||
  (what !== mediaFolder && isAt(otherPlace, place)) ||
  // SQLite keeps files beside it, and the server locks.
  (other === databaseEntry && folded(place).startsWith(`${folded(otherPlace)}-`));

const isAt = (place: string, above: string) => `${folded(place)}${sep}`.startsWith(`${folded(above)}${sep}`);

/** Many disks hold spellings of a name for one. */
const folded = (path: string) => path.normalize('NFC').toLowerCase();

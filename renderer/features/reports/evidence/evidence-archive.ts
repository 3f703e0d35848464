/** Writes evidence as a ZIP archive: JSON as the server sent it, media, a readable page, and a hash of each file. */
import { makeZip } from 'client-zip';
import { sha256 } from '../../../actions/evidence/sha256.ts';
import { evidencePage } from './evidence-page.ts';
import type { Evidence } from './gather-evidence.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Returns the archive, with a folder for each report. @param language of the pages, as in `lang` */
export async function evidenceArchive(all: readonly Evidence[], language: string): Promise<Blob> {
  const folders = await Promise.all(all.map((evidence) => folderOf(evidence, language)));
  return new Response(makeZip(folders.flat())).blob();
}

async function folderOf(evidence: Evidence, language: string) {
  const { report, now, stored, versions, context, verification, log, media, files, missing, held } = evidence;
  const { by, at, server } = evidence;
  const json = (value: unknown) =>
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' });
  const contents: { path: string; blob: Blob; source?: string }[] = [
    { path: 'report.json', blob: json(report) },
    ...(now ? [{ path: 'event-now.json', blob: json(now) }] : []),
    ...(stored ? [{ path: 'event-stored.json', blob: json(stored) }] : []),
    ...(versions.length > 1 ? [{ path: 'versions.json', blob: json(versions) }] : []),
    ...(context.length > 0 ? [{ path: 'context.json', blob: json(context) }] : []),
    ...(verification ? [{ path: 'verification.json', blob: json(verification) }] : []),
    ...(media.length > 0 ? [{ path: 'media.json', blob: json(media) }] : []),
    { path: 'activity.json', blob: json(log) },
    ...files.map(({ uri, blob }, index) => ({
      // Never a name from the event.
      path: `media/${index + 1}.${extensions[blob.type] ?? 'bin'}`,
      blob,
      source: uri,
    })),
  ];
  const hashed = await Promise.all(
    contents.map(async ({ path, blob, source }) => ({
      path,
      size: blob.size,
      sha256: await sha256(blob),
      ...(source !== undefined && { source }),
    })),
  );
  const time = new Date(at);
  const manifest = {
    ...{ by, at: time.toISOString(), server, report: report.id },
    ...(held && { held: { ...held, at: new Date(held.at).toISOString() } }),
    ...{ missing, files: hashed },
  };
  const pages = [
    { path: 'index.html', blob: new Blob([evidencePage(evidence, hashed, language)]) },
    { path: 'manifest.json', blob: json(manifest) },
    ...contents,
  ];
  return pages.map(({ path, blob }) => ({
    name: `report-${report.id}/${path}`,
    input: blob,
    lastModified: time,
  }));
}

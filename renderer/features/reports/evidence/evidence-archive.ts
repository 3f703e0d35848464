/** Writes evidence as a ZIP archive: JSON as the server sent it, images, a readable page, and a hash of each file. */
import { makeZip } from 'client-zip';
import type { Evidence } from './collect-evidence.ts';
import { evidencePage } from './evidence-page.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Returns the archive. @param language of the page, as in `lang` */
export async function evidenceArchive(evidence: Evidence, language: string): Promise<Blob> {
  const { report, now, stored, versions, context, verification, log, files, missing, by, at, server } =
    evidence;
  const json = (value: unknown) =>
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' });
  const contents: { path: string; blob: Blob; source?: string }[] = [
    { path: 'report.json', blob: json(report) },
    ...(now ? [{ path: 'event-now.json', blob: json(now) }] : []),
    ...(stored ? [{ path: 'event-stored.json', blob: json(stored) }] : []),
    ...(versions.length > 1 ? [{ path: 'versions.json', blob: json(versions) }] : []),
    ...(context.length > 0 ? [{ path: 'context.json', blob: json(context) }] : []),
    ...(verification ? [{ path: 'verification.json', blob: json(verification) }] : []),
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
  const manifest = { by, at: new Date(at).toISOString(), server, report: report.id, missing, files: hashed };
  const all = [
    { path: 'index.html', blob: new Blob([evidencePage(evidence, hashed, language)]) },
    { path: 'manifest.json', blob: json(manifest) },
    ...contents,
  ];
  const root = `report-${report.id}`;
  const zip = makeZip(
    all.map(({ path, blob }) => ({ name: `${root}/${path}`, input: blob, lastModified: new Date(at) })),
  );
  return new Response(zip).blob();
}

async function sha256(blob: Blob): Promise<string | undefined> {
  // Missing outside a secure context.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (!subtle) return undefined;
  const digest = await subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Releases of Synapse that fixed vulnerabilities, as its release notes name them, v1.33.2 to `newestRead`. */
import { parseVersion, type Version } from '../version.ts';
import { releaseNotes } from './source.ts';

export type SecurityRow = {
  release: Version;
  /** When it was published. */
  date: string;
  /** An older minor version's release with the same fixes. */
  alsoIn: Version | undefined;
  /** CVE numbers, or how many advisories there are. */
  advisories: string;
  text: string;
  source: string;
};

const row = (
  release: string,
  date: string,
  advisories: string,
  text: string,
  alsoIn?: string,
): SecurityRow => ({
  release: parseVersion(release),
  date,
  alsoIn: alsoIn === undefined ? undefined : parseVersion(alsoIn),
  advisories,
  text,
  source: releaseNotes(release),
});

/** Oldest first. */
export const securityRows: readonly SecurityRow[] = [
  row('1.33.2', '2021-05-11', 'CVE-2021-29471', /*i18n*/ 'Crafted push rules could overload the server.'),
  row(
    '1.41.1',
    '2021-08-31',
    'CVE-2021-39163, CVE-2021-39164',
    /*i18n*/ "Local users could read the name and members of private rooms they weren't in.",
  ),
  row(
    '1.47.1',
    '2021-11-23',
    'CVE-2021-41281',
    /*i18n*/ 'Remote media could be saved outside the media store.',
  ),
  row(
    '1.61.1',
    '2022-06-28',
    'CVE-2022-31052',
    /*i18n*/ 'URL previews of crafted pages could crash the server.',
  ),
  row(
    '1.62.0',
    '2022-07-05',
    'CVE-2022-31152',
    /*i18n*/ 'Events that break the authorization rules were accepted, so room state could diverge.',
  ),
  row(
    '1.85.0',
    '2023-06-06',
    'CVE-2023-32682, CVE-2023-32683',
    /*i18n*/ 'Deactivated users could sign in with unusual settings, and URL previews could bypass the blacklist.',
  ),
  row(
    '1.92.3',
    '2023-09-18',
    'CVE-2023-4863',
    /*i18n*/ 'Crafted WebP images could run code (libwebp in Pillow).',
  ),
  row(
    '1.93.0',
    '2023-09-26',
    'CVE-2023-41335, CVE-2023-42453',
    /*i18n*/ 'Passwords were stored briefly in plain text while being changed, and read receipts could be forged.',
  ),
  row('1.94.0', '2023-10-10', 'CVE-2023-45129', /*i18n*/ 'Crafted server ACLs could overload the server.'),
  row(
    '1.95.1',
    '2023-10-31',
    'CVE-2023-43796',
    /*i18n*/ 'Cached devices of remote users could be queried without permission.',
  ),
  row(
    '1.105.1',
    '2024-04-23',
    'CVE-2024-31208',
    /*i18n*/ 'High severity: remote room members could fill the disk and overload the CPU.',
  ),
  row(
    '1.112.0',
    '2024-07-30',
    'CVE-2024-41671',
    /*i18n*/ 'Pipelined HTTP requests could be answered out of order (Twisted).',
    '1.111.1',
  ),
  row(
    '1.120.1',
    '2024-12-03',
    'CVE-2024-52805, CVE-2024-52815, CVE-2024-53863, CVE-2024-53867',
    /*i18n*/ 'Uploads could exhaust memory, invites could break sync, and thumbnails could run unsafe decoders.',
  ),
  row(
    '1.127.1',
    '2025-03-26',
    'CVE-2025-30355',
    /*i18n*/ 'High severity, exploited: remote servers could break federation.',
  ),
  row(
    '1.135.2',
    '2025-08-11',
    'CVE-2025-49090',
    /*i18n*/ 'Adds room version 12, which fixes vulnerabilities in room state resolution.',
  ),
  row(
    '1.139.1',
    '2025-10-07',
    'CVE-2025-61672',
    /*i18n*/ 'Local users could break outgoing federation with invalid device keys.',
    '1.138.3',
  ),
  row(
    '1.147.1',
    '2026-02-12',
    'CVE-2026-24044',
    /*i18n*/ 'Events signed with a known insecure key are now rejected.',
  ),
  row(
    '1.152.1',
    '2026-05-07',
    'CVE-2026-45076, CVE-2026-45078',
    /*i18n*/ 'Contended worker locks could use up the CPU, and rejected events could end pagination early.',
  ),
  row(
    '1.157.2',
    '2026-07-28',
    'GHSA-fp53-rw9v-hcf9, GHSA-rgv2-84w7-5j9p, GHSA-27p5-4f45-gx76, GHSA-95fh-hv8c-chvq, GHSA-cjh7-rcpx-xpf8, GHSA-6wjm-9p2x-gvpm',
    /*i18n*/ 'High severity: eleven vulnerabilities, six of them high, from remote servers or local users.',
  ),
];

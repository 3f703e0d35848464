/**
 * The user's TLS settings per host: their own certificate authority, and the system's client certificate to present.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Certificate } from 'electron';
import { type Static, Type } from 'typebox';
import { ConnectionFailure } from '../../shared/connection.ts';
import type { JsonFile } from '../json-file.ts';

/** By host: authorities as PEM, keyed without port; fingerprints of client certificates, keyed with port. */
export const Certificates = Type.Object({
  authorities: Type.Record(Type.String(), Type.String()),
  clients: Type.Record(Type.String(), Type.String()),
});

const serverAuthentication = '1.3.6.1.5.5.7.3.1';

/** @throws ConnectionFailure `refused` if the file has no certificate or an invalid one */
export function readAuthorities(pem: string): X509Certificate[] {
  try {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
    if (blocks) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // Same error as for a file without certificates.
  }
  throw new ConnectionFailure('refused', /*i18n*/ 'No certificates found. Choose a PEM file.');
}

/**
 * Checks if a certificate chain leads to one of the authorities: names, validity, signatures and key usage. Doesn't
 * check revocation or name constraints.
 */
export function isIssuedBy(
  authorities: readonly X509Certificate[],
  chain: readonly X509Certificate[],
  hostname: string,
  now: Date,
): boolean {
  const isValid = ({ validFromDate, validToDate }: X509Certificate) =>
    validFromDate <= now && now <= validToDate;
  const issued = (certificate: X509Certificate, issuer: X509Certificate) =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const [server] = chain;
  if (!server || !isValid(server)) return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!(isIP(host) ? server.checkIP(host) : server.checkHost(host, { subject: 'never' }))) return false;
  // Node's name for extended key usage.
  if (server.keyUsage && !server.keyUsage.includes(serverAuthentication)) return false;
  for (const [index, certificate] of chain.entries()) {
    if (!isValid(certificate) || (index > 0 && !certificate.ca)) return false;
    if (authorities.some((authority) => authority.raw.equals(certificate.raw))) return true;
    if (
      authorities.some((authority) => authority.ca && isValid(authority) && issued(certificate, authority))
    ) {
      return true;
    }
    const next = chain[index + 1];
    if (!next || !issued(certificate, next)) return false;
  }
  return false;
}

type AskForCertificate = (host: string, list: readonly Certificate[]) => Promise<Certificate | undefined>;

export function createCertificates(kept: JsonFile<Static<typeof Certificates>>, ask: AskForCertificate) {
  const questions = new Map<string, Promise<Certificate | undefined>>();

  async function askOnce(host: string, list: readonly Certificate[]): Promise<Certificate | undefined> {
    const chosen = await ask(host, list);
    const { clients, authorities } = kept.read();
    if (chosen) kept.write({ authorities, clients: { ...clients, [host]: chosen.fingerprint } });
    return chosen;
  }

  return {
    authority: (hostname: string): string | undefined =>
      Object.hasOwn(kept.read().authorities, hostname) ? kept.read().authorities[hostname] : undefined,

    /** @throws ConnectionFailure as `readAuthorities` */
    setAuthority(hostname: string, pem: string | undefined): void {
      if (pem !== undefined) readAuthorities(pem);
      const { [hostname]: _, ...authorities } = kept.read().authorities;
      kept.write({
        ...kept.read(),
        authorities: pem === undefined ? authorities : { ...authorities, [hostname]: pem },
      });
    },

    /**
     * Returns the client certificate for a host that requests one. Asks the user once per run until they choose one.
     */
    client(url: string, list: readonly Certificate[]): Promise<Certificate | undefined> {
      const { host } = new URL(url);
      const { clients } = kept.read();
      const remembered = Object.hasOwn(clients, host) ? clients[host] : undefined;
      const found = list.find(({ fingerprint }) => fingerprint === remembered);
      if (found || list.length === 0) return Promise.resolve(found);
      const answer = questions.get(host) ?? askOnce(host, list);
      questions.set(host, answer);
      return answer;
    },

    /** Deletes settings for all hosts except those of these addresses. */
    keepFor(addresses: readonly string[]): void {
      const urls = addresses.map((address) => new URL(address));
      const { authorities, clients } = kept.read();
      const only = (chosen: Record<string, string>, hosts: string[]) =>
        Object.fromEntries(Object.entries(chosen).filter(([host]) => hosts.includes(host)));
      kept.write({
        authorities: only(
          authorities,
          urls.map(({ hostname }) => hostname),
        ),
        clients: only(
          clients,
          urls.map(({ host }) => host),
        ),
      });
    },
  };
}

/** Signs that two local accounts belong to the same person. */

export const signKinds = ['email', 'device', 'file', 'ip', 'email-domain', 'agent'] as const;
export type SignKind = (typeof signKinds)[number];

/** `value`: the common value of both accounts, as it's shown. */
export type Sign = { kind: SignKind; value: string };

/** The values of an account by kind of sign. */
export type Traits = Readonly<Record<SignKind, readonly string[]>>;

export const noTraits: Traits = {
  email: [],
  device: [],
  file: [],
  ip: [],
  'email-domain': [],
  agent: [],
};

/** Returns the common signs of two accounts. */
export const sharedSigns = (one: Traits, other: Traits): Sign[] =>
  signKinds.flatMap((kind) => {
    const values = new Set(other[kind]);
    return [...new Set(one[kind])].flatMap((value) => (values.has(value) ? [{ kind, value }] : []));
  });

export type Match<User> = { user: User; signs: readonly Sign[] };

export type RatedSign = Sign & {
  isStrong: boolean;
  /** Number of found accounts with this sign. */
  holders: number;
};

export type Related<User> = { user: User; isStrong: boolean; signs: readonly RatedSign[] };

/** A sign of more accounts than this is common if it's also a quarter of those compared. */
const mostHolders = 10;

/**
 * Rates the signs: strong ones first, accounts with most of them first. A common sign, such as the address of a proxy,
 * is weak; a weak sign that is common is left out, and so are accounts with no other.
 *
 * @param compared number of accounts compared so far
 */
export function relatedAccounts<User>(found: readonly Match<User>[], compared: number): Related<User>[] {
  const holders = new Map<string, number>();
  const keyOf = ({ kind, value }: Sign) => `${kind} ${value}`;
  for (const { signs } of found) {
    for (const sign of signs) holders.set(keyOf(sign), (holders.get(keyOf(sign)) ?? 0) + 1);
  }
  return found
    .flatMap(({ user, signs }) => {
      const rated = signs
        .flatMap((sign): RatedSign[] => {
          const count = holders.get(keyOf(sign)) ?? 0;
          const isCommon = count > mostHolders && count * 4 > compared;
          const canBeStrong = isStrongSign(sign);
          return isCommon && !canBeStrong
            ? []
            : [{ ...sign, isStrong: canBeStrong && !isCommon, holders: count }];
        })
        .sort((one, other) => Number(other.isStrong) - Number(one.isStrong));
      return rated.length > 0 ? [{ user, signs: rated, isStrong: rated.some(isStrong) }] : [];
    })
    .sort(
      (one, other) =>
        other.signs.filter(isStrong).length - one.signs.filter(isStrong).length ||
        other.signs.length - one.signs.length,
    );
}

const isStrong = (sign: RatedSign) => sign.isStrong;

/** Apps and email domains are shared by strangers, and so are addresses of a local network or proxy. */
function isStrongSign({ kind, value }: Sign): boolean {
  if (kind === 'agent' || kind === 'email-domain') return false;
  return kind !== 'ip' || !isPrivateAddress(value);
}

/** Whether an IP address isn't one of the internet: behind a misconfigured proxy, all clients have it. */
export const isPrivateAddress = (ip: string): boolean =>
  /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/i.test(
    ip,
  ) || /^(?:::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i.test(ip);

/** Providers of mailboxes for everyone: their domains say nothing about a person. */
const commonDomains = new Set(
  [
    'gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de hotmail.fr hotmail.co.uk live.com msn.com',
    'yahoo.com yahoo.de yahoo.fr yahoo.co.uk yahoo.co.jp ymail.com icloud.com me.com mac.com aol.com',
    'gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org',
    'proton.me protonmail.com pm.me tutanota.com tutanota.de tuta.io tuta.com fastmail.com zoho.com',
    'mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com rambler.ru ukr.net seznam.cz wp.pl o2.pl onet.pl',
    'qq.com 163.com 126.com sina.com naver.com daum.net orange.fr free.fr laposte.net libero.it virgilio.it',
    'uol.com.br bol.com.br terra.com.br mail.com email.com disroot.org riseup.net',
  ].flatMap((line) => line.split(' ')),
);

/** Returns the mailbox that an email address delivers to: without a tag, and without dots at Gmail. */
export function mailboxOf(address: string): string | undefined {
  const [, name, host] = /^([^@\s]+)@([^@\s]+)$/.exec(address.trim().toLowerCase()) ?? [];
  const [untagged = ''] = name?.split('+') ?? [];
  if (!host || untagged === '') return undefined;
  const isGmail = host === 'gmail.com' || host === 'googlemail.com';
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${host}`;
}

/** Returns the traits of email addresses: mailboxes, and domains unless anyone can have an address there. */
export function emailTraits(addresses: readonly string[]): Pick<Traits, 'email' | 'email-domain'> {
  const email = [...new Set(addresses.flatMap((address) => mailboxOf(address) ?? []))];
  const domains = new Set(email.map((mailbox) => mailbox.slice(mailbox.indexOf('@') + 1)));
  return { email, 'email-domain': [...domains].filter((domain) => !commonDomains.has(domain)) };
}

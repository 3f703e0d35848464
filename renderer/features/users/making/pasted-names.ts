/** A list of new users as it is pasted: a line each, with what belongs to them behind commas, semicolons or tabs. */
import { i18n } from '@lingui/core';
import { isMail } from '../../../api/user-list.ts';
import { localpartOf, misspelling } from './user-name.ts';

export type Pasted = {
  localpart: string;
  displayname: string;
  mail: string;
  /** Why nobody can be made of it, in the person's language. */
  fault: string | undefined;
};

/** What each line means on a server of this name. */
export function readNames(text: string, server: string): Pasted[] {
  const seen = new Set<string>();
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', displayname = '', mail = ''] = line
        .split(/[\t;,]/)
        .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
      const localpart = localpartOf(name, server).toLowerCase();
      const isTwice = seen.has(localpart);
      seen.add(localpart);
      const faults = [
        localpart === '' && i18n.t('There is no name in it.'),
        misspelling(localpart, server),
        isTwice && i18n.t('This name stands in the list before.'),
        mail !== '' && !isMail(mail) && i18n.t('This is no mail address.'),
      ];
      return { localpart, displayname, mail, fault: faults.find(Boolean) || undefined };
    });
}

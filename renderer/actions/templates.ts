/** What a person writes again and again: reasons, and notices to users. Kept on this machine. */
import { i18n } from '@lingui/core';
import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

export type TemplateKind = 'reason' | 'notice';

const own = (kind: TemplateKind) =>
  persisted(`gatehouse.templates.${kind}`, Type.Union([Type.Null(), Type.Array(Type.String())]), null);

/** Those that there are before a person has any of their own. */
const usual: Record<TemplateKind, () => string[]> = {
  reason: () => [
    i18n.t('Spam'),
    i18n.t('Harassment or hate'),
    i18n.t('Illegal content'),
    i18n.t('Impersonation'),
    i18n.t('Disruptive behavior'),
  ],
  notice: () => [
    i18n.t('Hello {user}, one of your messages was reported: {reason}. Please read the rules of {server}.', {
      user: '{user}',
      reason: '{reason}',
      server: '{server}',
    }),
    i18n.t('Hello {user}, your account on {server} is suspended: {reason}. Contact {moderator} about it.', {
      user: '{user}',
      reason: '{reason}',
      server: '{server}',
      moderator: '{moderator}',
    }),
  ],
};

export const templatesOf = (kind: TemplateKind) => {
  const kept = own(kind);
  return {
    subscribe: kept.subscribe,
    /** Null where a person has none of their own. */
    snapshot: kept.read,
    listed: () => kept.read() ?? usual[kind](),
    write: (templates: readonly string[]) =>
      kept.write(templates.map((text) => text.trim()).filter((text) => text !== '')),
  };
};

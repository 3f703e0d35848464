import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Type } from 'typebox';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { teamOf } from '../../team/team-store.ts';
import { useTeam } from '../../team/use-team.ts';
import { fillTemplate, isLocal } from '../items.ts';
import {
  maxReporterMessage,
  namedIn,
  type ReporterOutcome,
  recipientsOf,
  reporterMessageKind,
  reporterTemplates,
  teamTemplates,
} from '../reporter-messages.ts';
import type { ActedReport } from './acted-reports.ts';
import type { Letter } from './send-to-reporters.ts';

type About = {
  /** The reports that are decided. */
  reports: readonly ActedReport[];
  /** All reports of the case. */
  ofCase: readonly ActedReport[];
  outcome: ReporterOutcome;
  /** Users that the message must not name. */
  subjects: readonly string[];
  isEnabledAtFirst?: boolean;
};

export type ReporterMessage = ReturnType<typeof useReporterMessage>;

/** The message to the reporters while it's written. */
export function useReporterMessage({ reports, ofCase, outcome, subjects, isEnabledAtFirst = false }: About) {
  const server = useServer();
  const { deviceStorage } = useConsole();
  const me = server.connection.userId;
  const { log } = useTeam();
  const { recipients, informed } = useMemo(
    () => recipientsOf(reports, ofCase, log, (userId) => userId !== me && isLocal(server, userId)),
    [reports, ofCase, log, me, server],
  );
  const offersNotices = useQuery(offeredQuery(server)).data?.has('serverNotices') === true;
  const documents = useTeam().documents(reporterMessageKind);
  const templates = useMemo(() => reporterTemplates(documents, outcome), [documents, outcome]);
  const ofTeam = teamTemplates(documents, outcome);

  const [isEnabled, setEnabled] = useState(isEnabledAtFirst);
  const lastLanguage = deviceStorage.open('gatehouse.reporters.language', Type.String(), i18n.locale);
  const kind = useStoreValue(lastLanguage, lastLanguage.read);
  const language = kind in templates ? kind : 'en';
  /** Text that replaces the template. */
  const [typed, setTyped] = useState<string>();
  const [wantsNotice, setNotice] = useState(true);
  const via = offersNotices && wantsNotice ? 'notice' : 'direct';
  const template = templates[language] ?? '';
  const text = fillTemplate((typed ?? template).trim(), {
    user: '{user}',
    reason: '{reason}',
    server: server.connection,
  });
  const named = namedIn(text, [me, ...subjects]);
  const isSent = isEnabled && recipients.length > 0;

  function faultOf(): string {
    if (text === '') return i18n.t('Required');
    if (text.length > maxReporterMessage) return i18n.t('Too long');
    return named === undefined
      ? ''
      : i18n.t("Messages to reporters can't name {name}.", { name: inSentence(named) });
  }
  function saveTemplate(next: string | undefined) {
    const { [language]: _, ...others } = ofTeam;
    const all = { ...others, ...(next !== undefined && { [language]: next }) };
    const content = Object.keys(all).length > 0 ? { templates: all } : null;
    teamOf(server).snapshot().putDocument(reporterMessageKind, outcome, content);
    setTyped(undefined);
  }

  return {
    recipients,
    /** Number of reporters who got a message about the case before. */
    informed,
    isEnabled,
    want: setEnabled,
    languages: Object.keys(templates),
    language,
    setLanguage(next: string) {
      lastLanguage.write(next);
      setTyped(undefined);
    },
    /** With placeholders. */
    draft: typed ?? template,
    type: setTyped,
    isEdited: typed !== undefined && typed.trim() !== template && typed.trim() !== '',
    isOfTeam: language in ofTeam,
    saveTemplate: () => saveTemplate(typed?.trim()),
    resetTemplate: () => saveTemplate(undefined),
    /** As it will be sent. */
    text,
    offersNotices,
    via,
    setVia: (next: string) => setNotice(next === 'notice'),
    /** Empty if it can be sent. */
    fault: isSent ? faultOf() : '',
    letter: isSent ? ({ recipients, text, via } satisfies Letter) : undefined,
  };
}

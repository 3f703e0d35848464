/** Messages to reporters about a decision. They don't name the moderator or the reported user. */
import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import type { DocumentsOfKind } from '../../shared/team/documents.ts';
import type { LogEntry, ReportKind } from '../../shared/team/entries.ts';
import { subjectsOf } from '../../shared/team/fold.ts';
import type { ActedReport } from './panel/acted-reports.ts';

/** ID of the action. */
export const messageReporterId = 'message-reporter';

/** Content of a message about the decision. */
export const reporterOutcomes = ['upheld', 'not_upheld', 'decided'] as const;
export type ReporterOutcome = (typeof reporterOutcomes)[number];

/** Documents of the team's own texts: the key is the outcome. */
export const reporterMessageKind = 'reporter-message';

export const maxReporterMessage = 2000;

/** By language, such as `en`. */
const Templates = Type.Object({
  templates: Dictionary(Type.String({ minLength: 1, maxLength: maxReporterMessage }), { maxProperties: 20 }),
});

/** Until the team writes its own. Not translated like the console: the reporter reads them. */
const builtIn: Record<string, Record<ReporterOutcome, string>> = {
  en: {
    upheld:
      'Thank you for your report. The moderators of {server} reviewed it and took action. We keep the details private.',
    not_upheld:
      'Thank you for your report. The moderators of {server} reviewed it and found no violation of the rules. Please report again if it continues.',
    decided: 'Thank you for your report. The moderators of {server} reviewed it.',
  },
  de: {
    upheld:
      'Danke für deine Meldung. Die Moderation von {server} hat sie geprüft und Maßnahmen ergriffen. Einzelheiten behandeln wir vertraulich.',
    not_upheld:
      'Danke für deine Meldung. Die Moderation von {server} hat sie geprüft und keinen Verstoß gegen die Regeln festgestellt. Melde dich gern wieder, falls es weitergeht.',
    decided: 'Danke für deine Meldung. Die Moderation von {server} hat sie geprüft.',
  },
  es: {
    upheld:
      'Gracias por tu denuncia. La moderación de {server} la ha revisado y ha tomado medidas. Los detalles son confidenciales.',
    not_upheld:
      'Gracias por tu denuncia. La moderación de {server} la ha revisado y no ha encontrado ninguna infracción de las normas. Si continúa, vuelve a denunciarlo.',
    decided: 'Gracias por tu denuncia. La moderación de {server} la ha revisado.',
  },
  fr: {
    upheld:
      'Merci pour votre signalement. La modération de {server} l’a examiné et a pris des mesures. Les détails restent confidentiels.',
    not_upheld:
      'Merci pour votre signalement. La modération de {server} l’a examiné et n’a constaté aucune infraction aux règles. Signalez-le à nouveau si cela continue.',
    decided: 'Merci pour votre signalement. La modération de {server} l’a examiné.',
  },
};

/** Returns the texts for an outcome, by language: the team's, else the built-in ones. */
export const reporterTemplates = (documents: DocumentsOfKind, outcome: ReporterOutcome) => ({
  ...Object.fromEntries(Object.entries(builtIn).map(([language, texts]) => [language, texts[outcome]])),
  ...teamTemplates(documents, outcome),
});

/** Returns the team's own texts. */
export function teamTemplates(
  documents: DocumentsOfKind,
  outcome: ReporterOutcome,
): Readonly<Record<string, string>> {
  const content = documents.get(outcome)?.content;
  return fits(Templates, content) ? content.templates : {};
}

export type Recipient = { userId: string; of: ReportKind; reports: number[] };

const nameOf = (of: string, id: number) => `${of} ${id}`;

/** Returns the reporters who got a message about any of these reports. */
function informedOf(
  log: readonly Pick<LogEntry, 'body'>[],
  reports: readonly Pick<ActedReport, 'of' | 'id'>[],
): Set<string> {
  const names = new Set(reports.map(({ of, id }) => nameOf(of, id)));
  const informed = new Set<string>();
  for (const { body } of log) {
    if (body.type !== 'action' || body.action !== messageReporterId || body.outcome !== 'done') continue;
    const { of = 'report' } = body;
    if (!body.reports.some((id) => names.has(nameOf(of, id)))) continue;
    for (const subject of subjectsOf(body)) if (subject.kind === 'user') informed.add(subject.userId);
  }
  return informed;
}

/**
 * Returns the reporters to message, each once, with their reports of one kind.
 *
 * @param ofCase all reports of the case: a reporter gets one message about it
 * @param isReachable local users other than oneself
 * @returns `informed`: number of reporters who got a message before
 */
export function recipientsOf(
  reports: readonly ActedReport[],
  ofCase: readonly ActedReport[],
  log: readonly Pick<LogEntry, 'body'>[],
  isReachable: (userId: string) => boolean,
): { recipients: Recipient[]; informed: number } {
  const informed = informedOf(log, ofCase);
  const recipients = new Map<string, Recipient>();
  for (const { by, of, id } of reports) {
    if (!isReachable(by)) continue;
    const known = recipients.get(by);
    if (!known) recipients.set(by, { userId: by, of, reports: [id] });
    else if (known.of === of) known.reports.push(id);
  }
  const all = [...recipients.values()];
  const left = all.filter(({ userId }) => !informed.has(userId));
  return { recipients: left, informed: all.length - left.length };
}

/** Returns the first of these user IDs that a message names, whole or by its localpart. */
export const namedIn = (text: string, userIds: readonly string[]): string | undefined =>
  userIds.find((userId) => {
    const name = userId.slice(0, userId.indexOf(':')).replace(/[^\w@]/g, '\\$&');
    // A dot can end a sentence.
    return new RegExp(`${name}(?![\\w=/+-]|\\.\\w)`, 'i').test(text);
  });

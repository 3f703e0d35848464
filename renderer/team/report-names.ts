/** Names of reports: each kind has its own IDs. */
import { i18n } from '@lingui/core';
import type { ReportKind } from '../../shared/team/entries.ts';

type Report = { kind: ReportKind; id: number };

export function reportName({ kind, id }: Report): string {
  switch (kind) {
    case 'report':
      return i18n.t('Report {id}', { id });
    case 'user_report':
      return i18n.t('User report {id}', { id });
    case 'room_report':
      return i18n.t('Room report {id}', { id });
  }
}

/** For the middle of a sentence. */
export function reportInSentence({ kind, id }: Report): string {
  switch (kind) {
    case 'report':
      return i18n.t('report {id}', { id });
    case 'user_report':
      return i18n.t('user report {id}', { id });
    case 'room_report':
      return i18n.t('room report {id}', { id });
  }
}

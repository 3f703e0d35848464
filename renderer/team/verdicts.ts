import { i18n } from '@lingui/core';
import type { Mark, Verdict } from '../../shared/team/entries.ts';

export function verdictName(verdict: Verdict): string {
  switch (verdict) {
    case 'upheld':
      return i18n.t('Upheld');
    case 'not_upheld':
      return i18n.t('Not upheld');
    case 'duplicate':
      return i18n.t('Duplicate');
  }
}

/** Counts a reporter's decided reports. Duplicates say nothing about accuracy. */
export function accuracyOf(reportIds: readonly number[], marks: ReadonlyMap<number, Mark>) {
  const decided = reportIds
    .map((id) => marks.get(id))
    .filter((mark) => mark?.state === 'reviewed' && mark.verdict && mark.verdict !== 'duplicate');
  return { decided: decided.length, upheld: decided.filter((mark) => mark?.verdict === 'upheld').length };
}

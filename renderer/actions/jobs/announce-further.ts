import { i18n } from '@lingui/core';
import { showNotice } from '../../components/notice.tsx';
import type { Server } from '../../transport/server.ts';
import { sayFurther } from '../action-words.ts';
import { offerUndo } from '../latest-undo.ts';
import { type Marked, takeBackFurther } from './mark-further.ts';

let last: { job: string; marked: Marked[]; hide: () => void } | undefined;

/** Of what can't be taken back itself, a line for each job says what was marked, and takes that back. */
export function announceFurther(server: Server, job: string, marked: readonly Marked[]) {
  const before = last?.job === job ? last : undefined;
  before?.hide();
  const all = [...(before?.marked ?? []), ...marked];
  const undo = () => {
    withdraw();
    hide();
    last = undefined;
    takeBackFurther(server, all);
    showNotice({ text: i18n.t('Other reports reopened') });
  };
  const withdraw = offerUndo(undo);
  const count = all.reduce((sum, { reports }) => sum + reports.length, 0);
  const hide = showNotice({
    text: sayFurther(count),
    undo,
    undoes: i18n.t('{count, plural, one {# other report} other {# other reports}}', { count }),
  });
  last = {
    job,
    marked: all,
    hide() {
      withdraw();
      hide();
    },
  };
}

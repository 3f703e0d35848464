/** Saves, deletes and imports the team's documents, such as policies and rules, each with an undo. */
import { i18n } from '@lingui/core';
import { undosOf } from '../../actions/undo-stack.ts';
import { showNotice } from '../../components/notice.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';

/** Content by key; null deletes. */
type Changes = ReadonlyMap<string, object | null>;

/** Changes documents of a kind, and offers to undo that. Fields that this console doesn't know are kept. */
export function changeDocuments(server: Server, kind: string, changes: Changes, text: string) {
  const before = teamOf(server).snapshot().documents(kind);
  const former = [...changes.keys()].map((key) => [key, before.get(key)?.content ?? null] as const);
  const put = (all: Iterable<readonly [string, object | null]>) => {
    for (const [key, content] of all) teamOf(server).snapshot().putDocument(kind, key, content);
  };
  put([...changes].map(([key, content]) => [key, content && { ...before.get(key)?.content, ...content }]));
  const undo = () => {
    withdraw();
    hide();
    put(former);
    showNotice({ text: i18n.t('Change undone') });
  };
  const withdraw = undosOf(server).offer(undo);
  const hide = showNotice({ text, undo, undoLabel: text });
}

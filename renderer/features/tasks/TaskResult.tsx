import { i18n } from '@lingui/core';
import { type CSSProperties, Suspense, useMemo } from 'react';
import { initiallyOpen, jsonRows, jsonTree } from '../../components/json/json-rows.ts';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { loadedAhead } from '../../components/loaded-ahead.ts';
import classes from './TaskDetail.module.css';

const JsonViewer = loadedAhead(async () => ({
  default: (await import('../../components/json/JsonViewer.tsx')).JsonViewer,
}));

/** What came of a task. It has its room before its script is there: what stands below stays where it is. */
export function TaskResult({ result }: { result: unknown }) {
  const rows = useMemo(() => rowsAtFirst(result), [result]);
  return (
    <Suspense
      fallback={
        <div className={classes.result} style={{ '--rows': rows } as CSSProperties}>
          <LoadingNote text={i18n.t('Loading…')} />
        </div>
      }
    >
      <JsonViewer value={result} label="result" />
    </Suspense>
  );
}

/** How many rows the viewer shows at first. */
function rowsAtFirst(result: unknown): number {
  const tree = jsonTree(result);
  return jsonRows(tree, initiallyOpen(tree)).length;
}

import { i18n } from '@lingui/core';
import { type ComponentProps, type CSSProperties, lazy, Suspense, useMemo } from 'react';
import { LoadingNote } from '../LoadStates.tsx';
import type { JsonTree } from './JsonTree.tsx';
import classes from './JsonViewer.module.css';
import { initiallyOpen, jsonRows, jsonTree } from './json-rows.ts';

const Tree = lazy(async () => ({ default: (await import('./JsonTree.tsx')).JsonTree }));

/** Loads the viewer on demand, with a placeholder of the same height. */
export function JsonViewer(props: ComponentProps<typeof JsonTree>) {
  const rows = useMemo(() => initialRowCount(props.value), [props.value]);
  return (
    <Suspense
      fallback={
        <div className={classes.loading} style={{ '--rows': rows } as CSSProperties}>
          <LoadingNote text={i18n.t('Loading…')} />
        </div>
      }
    >
      <Tree {...props} />
    </Suspense>
  );
}

function initialRowCount(value: unknown): number {
  const tree = jsonTree(value);
  return jsonRows(tree, initiallyOpen(tree)).length;
}

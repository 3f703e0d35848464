import { i18n } from '@lingui/core';
import { lazy, Suspense } from 'react';
import { Disclosure } from '../Disclosure.tsx';
import { LoadingNote } from '../LoadingNote.tsx';

const JsonViewer = lazy(async () => ({ default: (await import('../json/JsonViewer.tsx')).JsonViewer }));

/** A content for which there is no better view. */
export function ContentAsData({ content }: { content: unknown }) {
  return (
    <Disclosure label={i18n.t('Content')}>
      <Suspense fallback={<LoadingNote text={i18n.t('Loading…')} />}>
        <JsonViewer value={content ?? null} label="content" />
      </Suspense>
    </Disclosure>
  );
}

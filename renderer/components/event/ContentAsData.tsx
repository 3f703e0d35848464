import { i18n } from '@lingui/core';
import { Disclosure } from '../Disclosure.tsx';
import { JsonViewer } from '../json/JsonViewer.tsx';

/** A content for which there is no better view. */
export function ContentAsData({ content }: { content: unknown }) {
  return (
    <Disclosure label={i18n.t('Content')}>
      <JsonViewer value={content ?? null} label="content" />
    </Disclosure>
  );
}

import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { byteSize } from '../byte-size.ts';
import { Folded } from '../Folded.tsx';
import { FormattedBody } from './formatted.tsx';
import { PlainBody } from './PlainBody.tsx';

/** What a message says; its formatted form where it has one. */
export function MessageBody({ text, html }: { text: string; html?: string | undefined }) {
  if (html === undefined) return <PlainBody text={text} />;
  return (
    <Folded size={byteSize(new TextEncoder().encode(html).length)}>
      <Suspense fallback={<Skeleton height={14} width="60%" />}>
        <FormattedBody html={html} />
      </Suspense>
    </Folded>
  );
}

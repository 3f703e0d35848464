import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { FoldedText } from '../FoldedText.tsx';
import { FormattedBody } from './formatted.tsx';
import { PlainBody } from './PlainBody.tsx';

/** What a message says; its formatted form where it has one. */
export function MessageBody({ text, html }: { text: string; html?: string | undefined }) {
  if (html === undefined) return <PlainBody text={text} />;
  return (
    <FoldedText text={html}>
      {(shown) => (
        <Suspense fallback={<Skeleton height={14} width="60%" />}>
          <FormattedBody html={shown} />
        </Suspense>
      )}
    </FoldedText>
  );
}

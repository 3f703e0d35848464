import { FoldedText } from '../FoldedText.tsx';
import { FormattedBody } from './FormattedBody.tsx';
import { PlainBody } from './PlainBody.tsx';

/** What a message says; its formatted form where it has one. */
export function MessageBody({ text, html }: { text: string; html?: string | undefined }) {
  if (html === undefined) return <PlainBody text={text} />;
  return <FoldedText text={html}>{(shown) => <FormattedBody html={shown} />}</FoldedText>;
}

import { Textarea, type TextareaProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef } from 'react';

type Props = TextareaProps & { ref?: Ref<HTMLTextAreaElement>; 'data-autofocus'?: boolean | undefined };

/** Several lines. By itself, since few actions ask for them and what grows with its text is large. */
export function LongText({ ref, ...props }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const mergedRef = useMergedRef(field, ref);
  const isFirst = props['data-autofocus'] === true;
  useEffect(() => {
    // The panel it is in may have been there before it, and have begun in another field: whoever writes there goes on.
    if (isFirst && !hasWords(document.activeElement)) field.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return <Textarea ref={mergedRef} {...props} autosize />;
}

const hasWords = (element: Element | null) =>
  element instanceof HTMLInputElement && element.type === 'text' && element.value !== '';

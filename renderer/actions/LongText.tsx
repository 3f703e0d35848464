import { Textarea, type TextareaProps } from '@mantine/core';
import type { Ref } from 'react';

/** Several lines. By itself, since few actions ask for them and what grows with its text is large. */
export default function LongText(props: TextareaProps & { ref?: Ref<HTMLTextAreaElement> }) {
  return <Textarea {...props} autosize />;
}

import { i18n } from '@lingui/core';
import { Button, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconChevronDown, IconChevronUp, IconCopy, IconDownload } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useConsole } from '../console-context.ts';
import { beginning } from '../words/beginning.ts';
import { byteSize } from '../words/format.ts';
import classes from './FoldedText.module.css';
import { openFileSink } from './file/file-sink.ts';

type FoldedProps = {
  children: ReactNode;
  /** Lines shown while folded. */
  lines?: number | undefined;
} & (
  | { size: string }
  /** What unfolds it, where that isn't all. */
  | { label: string }
);

/** Shows the beginning of what is too long, and the rest on request. */
export function Folded({ children, lines, ...props }: FoldedProps) {
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (open || !content.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && frame.current) setLong(entry.contentRect.height > frame.current.clientHeight + 1);
    });
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [open]);

  return (
    <div>
      <div
        ref={frame}
        className={classes.window}
        style={lines === undefined ? undefined : ({ '--folded-height': `${lines}lh` } as CSSProperties)}
        data-open={open || undefined}
        data-long={(long && !open) || undefined}
      >
        <div ref={content}>{children}</div>
      </div>
      {long && (
        <UnstyledButton className={classes.button} onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
          {open
            ? i18n.t('Show less')
            : 'label' in props
              ? props.label
              : i18n.t('Show all ({size})', { size: props.size })}
        </UnstyledButton>
      )}
    </div>
  );
}

const sign = { size: 13, stroke: 1.7, 'aria-hidden': true };

/** How much of a text is drawn, and the ways to all of it. `shown` and `size` are in bytes, as people say them. */
function AllOfText({ text, shown, size }: { text: string; shown: string; size: string }) {
  const { host } = useConsole();
  const clipboard = useClipboard({ timeout: 1500 });
  const [failed, setFailed] = useState(false);

  async function save() {
    setFailed(false);
    try {
      const sink = await openFileSink('message.txt', 'text/plain', host.shell !== undefined);
      await sink?.write(text);
      await sink?.close();
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className={classes.line} role="note">
      <span>{i18n.t('First {shown} of {size}, to keep the page responsive', { shown, size })}</span>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={clipboard.copied ? <IconCheck {...sign} /> : <IconCopy {...sign} />}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? i18n.t('Copied') : clipboard.error ? i18n.t('Not allowed') : i18n.t('Copy all')}
      </Button>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconDownload {...sign} />}
        onClick={() => void save()}
      >
        {i18n.t('Save all')}
      </Button>
      {failed && <span role="alert">{i18n.t("Couldn't write the file")}</span>}
    </div>
  );
}

/** So much of a text is drawn, in characters: with much more of it the page stands still. */
const mostDrawn = 100_000;

const sizeOf = (text: string) => byteSize(new TextEncoder().encode(text).length);

type Props = {
  text: string;
  /** Lines shown while folded; a page of them by default. */
  lines?: number;
  /** Gives what is drawn: of a text that is too long, its first part. */
  children: (shown: string) => ReactNode;
};

/** A text of whatever length: folded where it is long, and where it is too long for a page, the first part of it. */
export function FoldedText({ text, lines, children }: Props) {
  const { shown, size, whole } = useMemo(() => {
    const shown = beginning(text, mostDrawn);
    return { shown, size: sizeOf(shown), whole: shown === text ? undefined : sizeOf(text) };
  }, [text]);
  if (whole === undefined)
    return (
      <Folded size={size} lines={lines}>
        {children(shown)}
      </Folded>
    );
  return (
    <>
      <Folded label={i18n.t('Show first {size}', { size })} lines={lines}>
        {children(shown)}
      </Folded>
      <AllOfText text={text} shown={size} size={whole} />
    </>
  );
}

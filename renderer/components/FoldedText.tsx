import { i18n } from '@lingui/core';
import { Button, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconChevronDown, IconChevronUp, IconCopy, IconDownload } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useConsole } from '../console-context.ts';
import { truncate } from '../words/clip.ts';
import { byteSize } from '../words/format.ts';
import classes from './FoldedText.module.css';
import { saveFile } from './file/file-sink.ts';

type FoldedProps = {
  children: ReactNode;
  /** Lines shown while folded. */
  lines?: number | undefined;
} & (
  | { size: string }
  /** The unfold button's text, if it doesn't show everything. */
  | { label: string }
);

/** Folds content that is too long, with a button that unfolds it. */
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

const iconProps = { size: 13, stroke: 1.7, 'aria-hidden': true };

/**
 * Says how much of a long text is rendered; copies or saves all of it. `visibleSize` and `size` are formatted byte
 * sizes.
 */
function TruncationNote({ text, shown, size }: { text: string; shown: string; size: string }) {
  const { host } = useConsole();
  const clipboard = useClipboard({ timeout: 1500 });
  const [failed, setFailed] = useState(false);

  async function save() {
    setFailed(false);
    try {
      await saveFile('message.txt', 'text/plain', host.shell !== undefined, (write) => write(text));
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
        leftSection={clipboard.copied ? <IconCheck {...iconProps} /> : <IconCopy {...iconProps} />}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? i18n.t('Copied') : clipboard.error ? i18n.t('Not allowed') : i18n.t('Copy all')}
      </Button>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconDownload {...iconProps} />}
        onClick={() => void save()}
      >
        {i18n.t('Save all')}
      </Button>
      {failed && <span role="alert">{i18n.t("Couldn't write the file")}</span>}
    </div>
  );
}

/** Characters rendered at most: layout gets too slow with more. */
const maxRendered = 100_000;

const sizeOf = (text: string) => byteSize(new TextEncoder().encode(text).length);

type Props = {
  text: string;
  /** Lines shown while folded. */
  lines?: number;
  /** Renders the text, or its first part if it is too long. */
  children: (shown: string) => ReactNode;
};

/** Renders text of any length: folded if long, cut if too long to lay out. */
export function FoldedText({ text, lines, children }: Props) {
  const { shown, size, whole } = useMemo(() => {
    const shown = truncate(text, maxRendered);
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
      <TruncationNote text={text} shown={size} size={whole} />
    </>
  );
}

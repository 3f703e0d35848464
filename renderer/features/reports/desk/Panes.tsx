import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Type } from 'typebox';
import { ResizeHandle } from '../../../components/ResizeHandle.tsx';
import { useConsole } from '../../../console-context.ts';
import { useStoreValue } from '../../../subscribers.ts';
import classes from './ReportDesk.module.css';
import type { usePanes } from './use-panes.ts';

type Props = {
  title: string;
  panes: ReturnType<typeof usePanes>;
  /** The pane shown in a window too narrow for both. */
  pane: 'list' | 'report';
  list: ReactNode;
  /** What is open of the list. */
  children: ReactNode;
};

/** In CSS pixels; narrower in small windows. */
const narrowestList = 260;

/** A list on the left, what is open of it on the right, and the edge between them. */
export function Panes({ title, panes: { detailElement, showList }, pane, list, children }: Props) {
  const listWidth = useConsole().deviceStorage.open('gatehouse.reports.width', Type.Number(), 360);
  const width = useStoreValue(listWidth, listWidth.read);
  const listPane = useRef<HTMLDivElement>(null);
  // A narrow window hides the list with the focused element.
  useLayoutEffect(() => {
    const list = listPane.current;
    const isLost =
      list?.contains(document.activeElement) && !list.checkVisibility({ visibilityProperty: true });
    if (pane === 'report' && isLost) detailElement.current?.focus({ preventScroll: true });
  }, [pane, detailElement]);
  return (
    <div
      className={classes.screen}
      data-pane={pane}
      style={{ '--list-width': `${width}px` } as CSSProperties}
    >
      <div ref={listPane} className={classes.list}>
        <h1 className={classes.hidden}>{title}</h1>
        {list}
      </div>
      <ResizeHandle
        label={i18n.t('List width')}
        width={width}
        min={narrowestList}
        // A share of the window, but never less than the current width.
        max={Math.max(width, Math.round(window.innerWidth * 0.6))}
        className={classes.edge}
        onResize={listWidth.write}
      />
      <div className={classes.detail}>
        <UnstyledButton className={classes.back} onClick={showList}>
          <IconArrowLeft size={14} stroke={1.7} aria-hidden />
          {i18n.t('Back to list')}
        </UnstyledButton>
        {children}
      </div>
    </div>
  );
}

import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { beginning } from '../../words/beginning.ts';
import { VisibleText } from '../HazardText.tsx';
import classes from './JsonViewer.module.css';
import { type JsonNode, jsonText, pathText } from './json-rows.ts';

type Props = {
  node: JsonNode;
  top: number;
  open: boolean;
  current: boolean;
  match: boolean;
  onToggle: () => void;
  onChoose: () => void;
};

/** Deeper rows stay at this indent, so that they stay in sight. */
const deepestIndent = 24;
const longestValue = 400;

export const rowElementId = ({ id }: JsonNode) => `json-row-${id}`;

export function JsonRowView({ node, top, open, current, match, onToggle, onChoose }: Props) {
  const { name, value, members, depth } = node;
  const clipboard = useClipboard({ timeout: 1200 });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
    <div
      role="treeitem"
      tabIndex={-1}
      id={rowElementId(node)}
      className={classes.row}
      style={{
        transform: `translateY(${top}px)`,
        paddingInlineStart: `${Math.min(depth, deepestIndent) * 14 + 6}px`,
      }}
      aria-level={depth + 1}
      aria-expanded={members === undefined ? undefined : open}
      aria-selected={current}
      data-match={match || undefined}
      onClick={() => {
        onChoose();
        if (members !== undefined) onToggle();
      }}
    >
      <span className={classes.fold} data-open={open || undefined}>
        {members !== undefined && members > 0 && <IconChevronRight size={12} aria-hidden />}
      </span>
      {depth > deepestIndent && <span className={classes.depth}>{depth}</span>}
      {name !== undefined && (
        <span className={typeof name === 'number' ? classes.index : classes.name}>
          <VisibleText text={String(name)} />
          <span className={classes.colon}>:</span>
        </span>
      )}
      <JsonValue value={value} members={members} />
      <span className={classes.copies}>
        {clipboard.copied ? (
          <span className={classes.copied}>{i18n.t('Copied')}</span>
        ) : (
          <>
            {depth > 0 && (
              <UnstyledButton
                tabIndex={-1}
                className={classes.copy}
                onClick={(event) => {
                  event.stopPropagation();
                  clipboard.copy(pathText(node));
                }}
              >
                {i18n.t('Copy path')}
              </UnstyledButton>
            )}
            <UnstyledButton
              tabIndex={-1}
              className={classes.copy}
              onClick={(event) => {
                event.stopPropagation();
                clipboard.copy(typeof value === 'string' ? value : jsonText(value));
              }}
            >
              {i18n.t('Copy value')}
            </UnstyledButton>
          </>
        )}
      </span>
    </div>
  );
}

function JsonValue({ value, members }: { value: unknown; members: number | undefined }) {
  if (members !== undefined) {
    const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    return (
      <span className={classes.summary}>
        {members === 0 ? `${opening}${closing}` : `${opening} ${members} ${closing}`}
      </span>
    );
  }
  if (typeof value === 'string') {
    const shown = JSON.stringify(beginning(value, longestValue)).slice(0, -1);
    return (
      <span className={classes.string} title={shown.slice(1)}>
        <VisibleText text={shown} />
        {value.length > longestValue
          ? i18n.t('{count, plural, one {… # character} other {… # characters}}', { count: value.length })
          : '"'}
      </span>
    );
  }
  return (
    <span className={typeof value === 'number' ? classes.numeric : classes.constant}>{String(value)}</span>
  );
}

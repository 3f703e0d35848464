import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { i18n } from '@lingui/core';
import { useEffect, useRef } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { ConfigurationProblem } from '../../../../shared/workbench/configuration.ts';
import { indentBeneath, type Proposal, proposalsAt } from './completion.ts';
import { secretRanges } from './secret-values.ts';
import classes from './YamlField.module.css';

// The editor of homeserver.yaml: loaded when the configuration is opened.

type EditorOptions = {
  parent: HTMLElement;
  text: string;
  schema: JsonObject;
  /** Says what it is to who can't see it. */
  label: string;
  /** Stands where nothing is written. */
  hint: string;
  /** Words that the editor says by itself. */
  phrases: Record<string, string>;
  onChange: (text: string) => void;
  /** Asked once one stops typing for a moment; the answer to an older text is let go. */
  check: (text: string) => Promise<readonly ConfigurationProblem[]>;
};

type YamlEditor = {
  /** Puts the cursor there, and the focus. */
  goTo(line: number, column: number): void;
  setText(text: string): void;
  destroy(): void;
};

const pauseMs = 350;

function openYamlEditor(options: EditorOptions): YamlEditor {
  const { parent, text, schema, label, hint, phrases, onChange, check } = options;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        placeholder(hint),
        history(),
        drawSelection(),
        highlightActiveLine(),
        yaml(),
        indentUnit.of('  '),
        syntaxHighlighting(colors),
        hiddenSecrets,
        autocompletion({ override: [(context) => completions(schema, context)], icons: false }),
        linter(async ({ state }) => diagnostics(state.doc, await check(state.doc.toString())), {
          delay: pauseMs,
        }),
        // Tab leaves the editor, as it leaves any field.
        keymap.of([
          ...completionKeymap,
          { key: 'Enter', run: goBeneath },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        EditorState.phrases.of(phrases),
        look,
      ],
    }),
  });
  forceLinting(view);
  return {
    goTo(line, column) {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    destroy: () => view.destroy(),
  };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(to, from + column - 1);
}

function diagnostics(doc: Text, problems: readonly ConfigurationProblem[]): Diagnostic[] {
  return problems.map(({ line, column, severity, sentence }) => {
    const from = offsetOf(doc, line, column);
    return { from, to: doc.lineAt(from).to, severity, message: sentence };
  });
}

function completions(schema: JsonObject, context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const before = Array.from({ length: line.number - 1 }, (_, index) => state.doc.line(index + 1).text);
  const written = line.text.slice(0, pos - line.from);
  const { from, proposals } = proposalsAt(schema, before, written);
  // Nothing pops up where nothing is begun, unless it is asked for.
  if (proposals.length === 0 || (!explicit && from === written.length && !/:\s+$/.test(written))) return null;
  return {
    from: line.from + from,
    options: proposals.map((proposal) => ({
      label: proposal.text,
      ...(proposal.kind === 'setting' && { apply: writeSetting(proposal) }),
      ...(proposal.default !== undefined && { detail: proposal.default }),
      ...(proposal.description !== undefined && { info: proposal.description }),
    })),
    validFor: /^[\w-]*$/,
  };
}

/** A setting that was chosen is gone on with: what can be its value is proposed, or what stands beneath it. */
const writeSetting =
  ({ text, isSection }: Proposal) =>
  (view: EditorView, _completion: Completion, from: number, to: number) => {
    const before = view.state.doc.lineAt(from);
    const written = before.text.slice(0, from - before.from) + text;
    const insert = isSection ? `${text}\n${' '.repeat(indentBeneath(written) ?? 0)}` : `${text} `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    });
    startCompletion(view);
  };

/** What comes after the name of a section stands further in. */
function goBeneath(view: EditorView): boolean {
  const { doc, selection } = view.state;
  const { head, empty } = selection.main;
  const line = doc.lineAt(head);
  const indent = empty && head === line.to ? indentBeneath(line.text) : undefined;
  if (indent === undefined) return false;
  view.dispatch({
    ...view.state.replaceSelection(`\n${' '.repeat(indent)}`),
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
}

const hidden = Decoration.mark({ class: 'cm-secret' });
const hiddenSecrets = EditorView.decorations.compute(['doc'], ({ doc }) =>
  Decoration.set(secretRanges(doc.toString()).map(({ from, to }) => hidden.range(from, to))),
);

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--gh-code-key)' },
  { tag: tags.string, color: 'var(--gh-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--gh-code-number)' },
  { tag: tags.comment, color: 'var(--gh-dim)' },
]);

const look = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.8125rem',
    backgroundColor: 'var(--gh-surface)',
    color: 'var(--gh-text)',
  },
  '&.cm-focused': { outline: 'none' },
  // Over the gutter and the scrolled text, which would cover an outline of what holds them.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--gh-accent)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-gutters': {
    backgroundColor: 'var(--gh-sunken)',
    color: 'var(--gh-dim)',
    border: 'none',
  },
  '.cm-placeholder': { color: 'var(--gh-dim)' },
  // One that is being edited is shown.
  '.cm-secret': { '-webkit-text-security': 'disc' },
  '&.cm-focused .cm-activeLine .cm-secret': { '-webkit-text-security': 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--gh-hover)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--gh-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--gh-accent) 28%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--gh-raised)',
    color: 'var(--gh-text)',
    border: '1px solid var(--gh-line-strong)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--gh-selected)',
    color: 'var(--gh-text)',
  },
  '.cm-completionDetail': { color: 'var(--gh-dim)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '24rem', padding: '0.4rem 0.6rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--gh-danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--gh-warning)' },
});

type Props = {
  /** What it begins with. */
  initial: string;
  schema: JsonObject;
  /** Where the cursor is to go; another object, another time. */
  place: { line: number; column: number } | undefined;
  onChange: (text: string) => void;
  check: (text: string) => Promise<readonly ConfigurationProblem[]>;
};

/** The editor, for as long as the configuration is open. */
export default function YamlField({ initial, schema, place, onChange, check }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(undefined);
  const latest = useRef({ onChange, check });
  useEffect(() => {
    latest.current = { onChange, check };
  });

  useEffect(() => {
    if (!parent.current) return;
    const opened = openYamlEditor({
      parent: parent.current,
      text: initial,
      schema,
      label: 'homeserver.yaml',
      hint: i18n.t('Settings, such as server_name: example.org. Ctrl+Space shows suggestions.'),
      phrases: { Completions: i18n.t('Suggestions'), Diagnostics: i18n.t('Problems') },
      onChange: (text) => latest.current.onChange(text),
      check: (text) => latest.current.check(text),
    });
    editor.current = opened;
    return () => opened.destroy();
  }, [initial, schema]);

  useEffect(() => {
    if (place) editor.current?.goTo(place.line, place.column);
  }, [place]);

  return <div ref={parent} className={classes.field} dir="ltr" />;
}

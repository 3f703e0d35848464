import { i18n } from '@lingui/core';
import { type CSSProperties, createElement, type ReactNode, useMemo } from 'react';
import { VisibleText } from '../HazardText.tsx';
import classes from './FormattedBody.module.css';
import { MessageLink } from './MessageLink.tsx';
import { RemoteImage } from './RemoteImage.tsx';
import { sanitizedTree } from './sanitize-html.ts';

/** Message backgrounds of the light and the dark theme. */
const surfaces = ['#f7f8fa', '#13161a'];

/** WCAG's minimum for large text; below it, a color hides the text. */
const minContrast = 3;

/**
 * Returns the sender's colors if the text stays readable: white on white hides text from moderators. Accepts only
 * `#rrggbb`, as in the Matrix specification.
 */
function messageColors(color: string | null, background: string | null): CSSProperties | undefined {
  const text = validColor(color);
  const backgroundColor = validColor(background);
  if (backgroundColor) {
    const textColor = text && contrast(text, backgroundColor) >= minContrast ? text : undefined;
    const readable =
      contrast('#000000', backgroundColor) > contrast('#ffffff', backgroundColor) ? '#000000' : '#ffffff';
    return { color: textColor ?? readable, backgroundColor };
  }
  if (text && surfaces.every((surface) => contrast(text, surface) >= minContrast)) return { color: text };
  return undefined;
}

const validColor = (color: string | null) => (color && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined);

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance as defined by WCAG. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Deeper elements are rendered as plain text. */
const maxDepth = 100;

/** Renders a formatted message: known elements only, no styles, no media until clicked. */
export function FormattedBody({ html }: { html: string }) {
  const content = useMemo(() => renderChildren(sanitizedTree(html), 0), [html]);
  return (
    <div className={classes.body} dir="auto">
      {content}
    </div>
  );
}

function renderChildren(parent: Node, depth: number): ReactNode[] {
  return [...parent.childNodes].map((node, index) => renderNode(node, index, depth));
}

function renderNode(node: Node, key: number, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return <VisibleText key={key} text={node.nodeValue ?? ''} />;
  if (!(node.nodeType === Node.ELEMENT_NODE)) return null;
  if (depth >= maxDepth) return <VisibleText key={key} text={node.textContent ?? ''} />;
  return renderElement(node as HTMLElement, key, depth);
}

const voidTags = new Set(['br', 'hr']);
const plainTags = new Set(
  'del h1 h2 h3 h4 h5 h6 blockquote p ul sup sub li b i u strong em s pre div table caption details summary'.split(
    ' ',
  ),
);
// React warns about white space between table elements, which isn't rendered anyway.
const tableTags = new Set(['thead', 'tbody', 'tr', 'th', 'td']);

function renderElement(element: HTMLElement, key: number, depth: number): ReactNode {
  const tag = element.localName;
  const inner = () => renderChildren(element, depth + 1);
  if (voidTags.has(tag)) return createElement(tag, { key });
  if (plainTags.has(tag) || tableTags.has(tag)) return createElement(tag, { key }, ...inner());
  switch (tag) {
    case 'a':
      return (
        <MessageLink key={key} target={element.getAttribute('href')} text={element.textContent ?? ''}>
          {inner()}
        </MessageLink>
      );
    case 'img':
      return (
        <RemoteImage
          key={key}
          uri={element.getAttribute('src') ?? ''}
          name={
            element.getAttribute('alt') ||
            element.getAttribute('title') ||
            i18n.t('Image without description')
          }
          width={pixels(element, 'width')}
          height={pixels(element, 'height')}
        />
      );
    case 'ol':
      return (
        <ol key={key} start={Number.parseInt(element.getAttribute('start') ?? '1', 10) || 1}>
          {inner()}
        </ol>
      );
    case 'code':
      return (
        <code key={key} data-language={/^language-([\w+#-]+)$/.exec(element.className)?.[1]}>
          {inner()}
        </code>
      );
    case 'span': {
      const spoiler = element.getAttribute('data-mx-spoiler');
      const style = messageColors(
        element.getAttribute('data-mx-color'),
        element.getAttribute('data-mx-bg-color'),
      );
      if (spoiler === null) {
        return (
          <span key={key} style={style}>
            {inner()}
          </span>
        );
      }
      return (
        <span key={key} className={classes.spoiler} title={i18n.t('Hidden by the sender')}>
          <span className={classes.spoilerLabel}>
            {spoiler ? i18n.t('Spoiler:') : i18n.t('Spoiler')} <VisibleText text={spoiler} />
          </span>
          {inner()}
        </span>
      );
    }
    default:
      return inner();
  }
}

function pixels(element: HTMLElement, attribute: string): number | undefined {
  const value = Number.parseInt(element.getAttribute(attribute) ?? '', 10);
  return value > 0 ? value : undefined;
}

import DOMPurify from 'dompurify';

/** The elements that the Matrix specification allows. */
const allowedTags = [
  ...['del', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'p', 'a', 'ul', 'ol', 'sup', 'sub', 'li', 'b'],
  ...['i', 'u', 'strong', 'em', 's', 'code', 'hr', 'br', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['caption', 'pre', 'span', 'img', 'details', 'summary'],
];

const spanAttributes = ['data-mx-spoiler', 'data-mx-color', 'data-mx-bg-color'];
const allowedAttributes = [
  ...['href', 'src', 'alt', 'title', 'width', 'height', 'start', 'class'],
  ...spanAttributes,
];

/** URL schemes that links and images may have. */
export const allowedAddress = /^(?:https?|ftp|mailto|magnet|mxc):/i;

/**
 * Returns a formatted message without anything that the specification doesn't allow. It belongs to an inert document
 * that loads and runs nothing. Never insert it into the page: `FormattedBody` builds React elements from it.
 */
export function sanitizedTree(html: string): Node {
  // Parsed in a template: browsers log an error for a <base> in a whole document.
  const template = document.createElement('template');
  template.innerHTML = '<div></div>';
  const tree = template.content.firstElementChild as HTMLElement;
  tree.innerHTML = html;
  return DOMPurify.sanitize(tree, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: allowedAddress,
    // These values aren't URLs.
    ADD_URI_SAFE_ATTR: ['width', 'height', 'start', ...spanAttributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_FORBID_CONTENTS: ['style', 'script', 'svg', 'math'],
    IN_PLACE: true,
  });
}

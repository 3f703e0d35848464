import DOMPurify from 'dompurify';

/** What a formatted message may hold, as the Matrix specification lists it. */
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

/** The addresses that a message may name, by their schemes. */
export const allowedAddress = /^(?:https?|ftp|mailto|magnet|mxc):/i;

/**
 * The tree of a formatted message with everything taken out that the specification does not allow. It
 * belongs to an inert document: nothing in it loads or runs, and it must never be put on the page as it
 * is. `FormattedBody` builds what is shown from it, element by element.
 */
export function sanitizedTree(html: string): Node {
  // Of a template nothing is a document's own, as a <base> would be wherever a whole document is made of it: browsers
  // refuse that one aloud.
  const template = document.createElement('template');
  template.innerHTML = '<div></div>';
  const tree = template.content.firstElementChild as HTMLElement;
  tree.innerHTML = html;
  return DOMPurify.sanitize(tree, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: allowedAddress,
    // Their values are not addresses, and the rule for addresses does not apply to them.
    ADD_URI_SAFE_ATTR: ['width', 'height', 'start', ...spanAttributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_FORBID_CONTENTS: ['style', 'script', 'svg', 'math'],
    IN_PLACE: true,
  });
}

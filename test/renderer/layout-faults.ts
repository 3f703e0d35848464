import type { Page } from 'playwright';

/** Returns layout faults: truncated text and placeholders, unreachable elements, and covered controls. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults);

/** Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = [];
  /** Tolerance for rounding and slanted letters. */
  const slack = 2;
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);

  const name = (element: Element) =>
    `${element.localName}${element.className && typeof element.className === 'string' ? `.${element.className.split(' ')[0]}` : ''} “${(element.textContent ?? '').trim().slice(0, 60)}”`;
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  /** Content for screen readers only has no size. */
  const isUnseen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width <= 1 || height <= 1;
  };

  /** Returns the element that permanently clips a rectangle; undefined if the rest is visible or can be scrolled to. */
  function lostPart(start: Element, rect: DOMRect): string | undefined {
    let [box, position] = [rect, getComputedStyle(start).position];
    for (let element = start.parentElement; element; element = element.parentElement) {
      const style = getComputedStyle(element);
      if (position === 'absolute' && style.position === 'static') continue;
      if (position === 'fixed') break;
      position = style.position;
      const frame = element.getBoundingClientRect();
      const scrolls = { x: /auto|scroll/.test(style.overflowX), y: /auto|scroll/.test(style.overflowY) };
      const cuts = { x: /hidden|clip/.test(style.overflowX), y: /hidden|clip/.test(style.overflowY) };
      if (element === document.body || element === document.documentElement) break;
      if (cuts.x && (box.left < frame.left - slack || box.right > frame.right + slack)) return name(element);
      if (cuts.y && (box.top < frame.top - slack || box.bottom > frame.bottom + slack)) return name(element);
      if (scrolls.x || scrolls.y) {
        box = new DOMRect(
          scrolls.x ? frame.x : box.x,
          scrolls.y ? frame.y : box.y,
          scrolls.x ? frame.width : box.width,
          scrolls.y ? frame.height : box.height,
        );
      }
    }
    const isOff =
      box.left < screen.left - slack ||
      box.right > screen.right + slack ||
      box.top < screen.top - slack ||
      box.bottom > screen.bottom + slack;
    return isOff ? 'the screen' : undefined;
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.nodeValue?.trim() || !isShown(element) || isUnseen(element)) continue;
    // Truncation is fine if the full text is available: in a tooltip, by expanding, or in the row's details.
    if (element.closest('[title], [data-long], [role="option"], tr, svg, [aria-hidden="true"], option'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = withoutHangingSpace(element, range.getBoundingClientRect());
    if (rect.width <= 1) continue;
    const by = lostPart(element, rect) ?? ownCut(element, rect);
    if (by) faults.push(`text cut off by ${by}: ${name(element)}`);
  }

  /** With preserved whitespace, the trailing space of a line overflows but is invisible. */
  function withoutHangingSpace(element: Element, rect: DOMRect): DOMRect {
    const { whiteSpaceCollapse, fontSize } = getComputedStyle(element);
    if (whiteSpaceCollapse !== 'preserve') return rect;
    const space = Number.parseFloat(fontSize) / 2;
    const frame = element.getBoundingClientRect();
    const left = rect.left < frame.left ? Math.min(frame.left, rect.left + space) : rect.left;
    const right = rect.right > frame.right ? Math.max(frame.right, rect.right - space) : rect.right;
    return new DOMRect(left, rect.top, right - left, rect.height);
  }

  function ownCut(element: Element, text: DOMRect): string | undefined {
    const { overflowX } = getComputedStyle(element);
    const { left, right } = element.getBoundingClientRect();
    const isCut = /hidden|clip/.test(overflowX) && (text.left < left - slack || text.right > right + slack);
    return isCut ? 'itself' : undefined;
  }

  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[placeholder]');
  for (const field of fields) {
    if (field.value || !isShown(field) || isUnseen(field)) continue;
    // The size of a placeholder can't be measured, but the same text as a value has the same size.
    field.value = field.placeholder;
    const isCut = field.scrollWidth > field.clientWidth || field.scrollHeight > field.clientHeight + slack;
    field.value = '';
    if (isCut) faults.push(`placeholder cut off: ${field.placeholder}`);
  }

  const controls = [
    ...document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role="option"], [role="menuitem"], [role="tab"], [role="separator"]',
    ),
  ].filter((element) => isShown(element) && !isUnseen(element));
  /** Cached per scroll container: searching all of it for each control is slow. */
  const stickies = new Map<Element, Element[]>();
  const overlays = document.querySelector('[data-mantine-shared-portal-node]');
  for (const control of controls) {
    const rect = control.getBoundingClientRect();
    const by = control.matches('[role="option"]') ? undefined : lostPart(control, rect);
    if (by) {
      faults.push(`control cut off by ${by}: ${name(control)}`);
      continue;
    }
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const top = document.elementFromPoint(x, y);
    // Skips controls that are scrolled away or under an overlay, such as a confirmation over its dialog.
    const question = top?.closest('.mantine-Popover-dropdown');
    if (!top || (question && !question.contains(control))) continue;
    if (overlays?.contains(top) && !overlays.contains(control)) continue;
    const owner = control.closest('label') ?? control;
    const isReached =
      owner.contains(top) ||
      top.contains(control) ||
      // The visible part of a control is often an element next to an invisible input.
      (control.matches('input') && owner.parentElement?.contains(top)) ||
      isScrolledAway(control, rect);
    if (!isReached) faults.push(`control covered by ${name(top)}: ${name(control)}`);
  }

  function stickyIn(box: Element): Element[] {
    const known = stickies.get(box);
    if (known) return known;
    const found = [...box.querySelectorAll('*')].filter(
      (each) => getComputedStyle(each).position === 'sticky',
    );
    stickies.set(box, found);
    return found;
  }

  function isScrolledAway(control: Element, rect: DOMRect): boolean {
    for (let element = control.parentElement; element; element = element.parentElement) {
      const style = getComputedStyle(element);
      if (!/auto|scroll/.test(`${style.overflowX} ${style.overflowY}`)) continue;
      const frame = element.getBoundingClientRect();
      const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) return true;
      // A sticky header with rows scrolling under it.
      const sticky = stickyIn(element).find(
        (each) =>
          !each.contains(control) &&
          each.getBoundingClientRect().bottom > rect.top &&
          each.getBoundingClientRect().top < rect.bottom,
      );
      if (sticky) return true;
    }
    return false;
  }

  return [...new Set(faults)];
}

/**
 * A window of 1280 by 800 at 200% has half that size in CSS pixels. It comes first, so that popovers are tested where
 * space is tight.
 */
export const sizes = { zoomed: [640, 400], narrow: [720, 800], wide: [1280, 800] } as const;

export type Size = keyof typeof sizes;

export async function faultsInEachSize(page: Page, inOrder: readonly Size[]) {
  const found: Record<string, string[]> = {};
  for (const name of inOrder) {
    const [width, height] = sizes[name];
    await page.setViewportSize({ width, height });
    // Script-driven layout updates in the next frame.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    found[name] = await layoutFaults(page);
  }
  return found;
}

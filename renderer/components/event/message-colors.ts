import type { CSSProperties } from 'react';

/** What a message stands on, in the light and in the dark scheme. */
const surfaces = ['#f7f8fa', '#13161a'];

/** WCAG's least for text that isn't small print; below it, a color hides more than it says. */
const leastContrast = 3;

/**
 * The colors that a sender chose, as far as the text can still be read with them: white on white is how
 * text is hidden from moderators. Takes `#rrggbb` as the Matrix specification has it, ignores all else.
 */
export function messageColors(color: string | null, background: string | null): CSSProperties | undefined {
  const text = valid(color);
  const ground = valid(background);
  if (ground) {
    const ownText = text && contrast(text, ground) >= leastContrast ? text : undefined;
    const readable = contrast('#000000', ground) > contrast('#ffffff', ground) ? '#000000' : '#ffffff';
    return { color: ownText ?? readable, backgroundColor: ground };
  }
  if (text && surfaces.every((surface) => contrast(text, surface) >= leastContrast)) return { color: text };
  return undefined;
}

const valid = (color: string | null) => (color && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined);

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

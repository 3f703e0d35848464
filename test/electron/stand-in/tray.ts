/** `Tray` and `nativeImage`: the icon beside the clock, and what it is drawn from. */
import { theApp } from './app.ts';
import { LoudEmitter, loud } from './loud.ts';
import type { MenuItem } from './menu.ts';

type Image = { width: number; height: number };

const image = (size: Image) =>
  loud('NativeImage', { getSize: () => size, resize: (to: Partial<Image>) => image({ ...size, ...to }) });

const png = /^data:image\/png;base64,iVBORw0KGgo/;

export const nativeImage = loud('nativeImage', {
  createFromDataURL(address: string) {
    // Electron gives an empty image for what it can't read, which shows as nothing.
    if (!png.test(address)) throw new Error('The stand-in reads images as PNG only');
    const head = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
    return image({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) });
  },
  createFromBitmap(pixels: Buffer, { width, height }: Image) {
    if (pixels.length !== width * height * 4) throw new Error('A bitmap has four bytes for each pixel');
    return image({ width, height });
  },
});

class TrayIcon extends LoudEmitter {
  toolTip = '';
  menu: MenuItem[] = [];

  constructor(icon: { getSize(): Image }) {
    super('Tray', ['click']);
    if (!theApp.isReady()) throw new Error('Cannot create Tray before app is ready');
    if (icon.getSize().width !== 16) throw new Error('An icon of the tray is 16 pixels wide');
    trays.add(this);
    // biome-ignore lint/correctness/noConstructorReturn: what is missing has to fail loudly
    return loud<TrayIcon>('Tray', this);
  }

  setToolTip(text: string): void {
    this.#check();
    this.toolTip = text;
  }

  setContextMenu(menu: MenuItem[]): void {
    this.#check();
    this.menu = menu;
  }

  destroy(): void {
    trays.delete(this);
  }

  #check(): void {
    if (!trays.has(this)) throw new Error('Tray is destroyed');
  }
}

/** Those that are there. */
export const trays = new Set<TrayIcon>();
export const Tray = TrayIcon;

import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { BrowserWindow } from './browser-window.ts';
import { app } from './app.ts';
import { setAccelerators } from './accelerators.ts';
import { inOrder, withoutSpareSeparators } from './menu-order.ts';
import { sayClassGaps, warnOnce } from '../unsupported.ts';

type Options = Electron.MenuItemConstructorOptions;
type Part = Options | MenuItem;
const roles: Readonly<
  Record<string, { readonly accelerator?: string; readonly run?: (window: BrowserWindow) => void }>
> = {
  quit: { accelerator: 'CmdOrCtrl+Q', run: () => app.quit() },
  close: { accelerator: 'CmdOrCtrl+W', run: (window) => window.close() },
  minimize: { accelerator: 'CmdOrCtrl+M', run: (window) => window.minimize() },
  reload: { accelerator: 'CmdOrCtrl+R', run: (window) => window.reload() },
  togglefullscreen: { accelerator: 'F11', run: (window) => window.setFullScreen(!window.isFullScreen()) },
  zoomin: {
    accelerator: 'CmdOrCtrl+Plus',
    run: (window) => window.webContents.setZoomFactor(window.webContents.getZoomFactor() * 1.2),
  },
  zoomout: {
    accelerator: 'CmdOrCtrl+-',
    run: (window) => window.webContents.setZoomFactor(window.webContents.getZoomFactor() / 1.2),
  },
  resetzoom: { accelerator: 'CmdOrCtrl+0', run: (window) => window.webContents.setZoomFactor(1) },
};
/** The browser handles these keys itself. */
const native = new Set(['undo', 'redo', 'cut', 'copy', 'paste', 'pasteandmatchstyle', 'delete', 'selectall']);
const groups = new Set([
  'appmenu',
  'filemenu',
  'editmenu',
  'viewmenu',
  'windowmenu',
  'sharemenu',
  'help',
  'services',
  'recentdocuments',
  'window',
]);

const types = new Set(['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette']);
let lastCommand = 0;

export class MenuItem {
  readonly commandId = ++lastCommand;
  readonly id: string;
  readonly type: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  readonly sublabel: string;
  readonly registerAccelerator: boolean;
  readonly #click: Options['click'];
  label: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  menu: Menu | undefined;

  constructor(options: Options) {
    const { click, submenu, ...rest } = options;
    // An app's own fields stay with the item.
    Object.assign(this, rest);
    const role = options.role?.toLowerCase();
    this.role = role;
    // Undefined without one, whatever Electron's declarations say.
    this.id = options.id as string;
    this.label = options.label ?? options.role ?? '';
    this.sublabel = options.sublabel ?? '';
    this.type = options.type ?? (submenu ? 'submenu' : 'normal');
    this.accelerator =
      (options.accelerator as string | undefined) ?? (role === undefined ? undefined : roles[role]?.accelerator);
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.registerAccelerator = options.registerAccelerator ?? true;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as unknown as Menu | undefined);
    if (this.type === 'submenu' && !(this.submenu instanceof Menu)) throw new Error('Invalid submenu');
    if (!types.has(this.type)) throw new Error(`Unknown menu item type: ${this.type}`);
    this.#click = click;
    if (role !== undefined && !(role in roles) && !native.has(role) && !groups.has(role))
      warnOnce(`menu role ${options.role}`);
  }

  click(event: object = {}, window: BrowserWindow | null = BrowserWindow.getFocusedWindow()): void {
    if (!this.enabled) return;
    if (this.type === 'checkbox') this.checked = !this.checked;
    const role = roles[this.role?.toLowerCase() ?? ''];
    if (this.#click !== undefined) {
      (this.#click as unknown as (item: MenuItem, window: BrowserWindow | null, event: object) => void)(
        this,
        window,
        event,
      );
    } else if (window !== null) role?.run?.(window);
  }
}

let applicationMenu: Menu | null = null;

/** The commands of a menu without its picture: keys run them, nothing is drawn. */
export class Menu extends EventEmitter {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly Part[]): Menu {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array');
    const parts = template as readonly (Part | null | undefined)[];
    const isValid = (item: Part | null | undefined) =>
      typeof item === 'object' &&
      item !== null &&
      (Object.hasOwn(item, 'label') || Object.hasOwn(item, 'role') || item.type === 'separator');
    if (!parts.every(isValid))
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    const menu = new Menu();
    for (const item of withoutSpareSeparators(inOrder(parts as readonly Part[])))
      menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu');
    applicationMenu = menu;
    if (menu !== null) warnOnce('the menu bar', 'is not drawn here; its keys work');
    setAccelerators(menu === null ? [] : [...menu.keys()]);
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }
  getItemCount(): number {
    return this.items.length;
  }
  insert(at: number, item: MenuItem): void {
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item');
    if (at < 0) throw new RangeError(`Position ${at} cannot be less than 0`);
    if (at > this.items.length) throw new RangeError(`Position ${at} cannot be greater than the total MenuItem count`);
    item.menu = this;
    this.items.splice(at, 0, item);
    if (applicationMenu === this) Menu.setApplicationMenu(this);
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found !== null) return found;
    }
    return null;
  }
  popup(_options?: object): void {
    warnOnce('Menu.popup');
  }
  closePopup(_window?: object): void {}

  *keys(): Generator<readonly [string, (window: BrowserWindow) => void]> {
    for (const item of this.items) {
      if (item.submenu !== undefined) yield* item.submenu.keys();
      const editing = native.has(item.role?.toLowerCase() ?? '');
      if (item.accelerator !== undefined && item.registerAccelerator && !editing)
        yield [item.accelerator, (window) => item.click({ triggeredByAccelerator: true }, window)];
    }
  }
}
sayClassGaps(Menu, 'Menu');
sayClassGaps(MenuItem, 'MenuItem');
MenuItem satisfies new (
  options: Options,
) => Partial<Pick<Electron.MenuItem, 'label' | 'enabled' | 'visible' | 'checked' | 'id'>>;
Menu satisfies new () => Pick<Electron.Menu, 'closePopup'> & { items: MenuItem[] };

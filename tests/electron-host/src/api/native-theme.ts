import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { screenChanges, screenReport } from '../screen-report.ts';
import { pagesByTarget, type Page } from '../page.ts';
import { sayClassGaps } from '../unsupported.ts';

class NativeTheme extends EventEmitter {
  #source: Electron.NativeTheme['themeSource'] = 'system';
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly shouldUseDarkColorsForSystemIntegratedUI = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  readonly shouldDifferentiateWithoutColor = false;

  constructor() {
    super();
    screenChanges.on('dark', () => {
      if (this.#source === 'system') this.emit('updated');
    });
  }

  get themeSource(): Electron.NativeTheme['themeSource'] {
    return this.#source;
  }
  set themeSource(source: Electron.NativeTheme['themeSource']) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Invalid themeSource ${String(source)}`);
    if (source === this.#source) return;
    this.#source = source;
    for (const page of pagesByTarget.values()) void this.apply(page);
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? screenReport.current.dark === true : this.#source === 'dark';
  }
  /** @internal Tells a page which colours to use. */
  async apply(page: Page): Promise<void> {
    const value = this.#source === 'system' ? '' : this.#source;
    await page.cdp
      ?.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
      .catch(() => {});
  }
}
sayClassGaps(NativeTheme, 'nativeTheme');
export const nativeTheme = new NativeTheme();
nativeTheme satisfies Pick<Electron.NativeTheme, 'themeSource' | 'shouldUseDarkColors' | 'shouldUseHighContrastColors'>;

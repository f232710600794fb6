import type { Page } from '@playwright/test';

const usualSize = { width: 1280, height: 800 };

/** What a load of the page does not reset. */
const marks: readonly (readonly [(page: Page) => object, readonly string[]])[] = [
  [(page) => page, ['addInitScript', 'exposeFunction', 'exposeBinding', 'on', 'close']],
  [(page) => page.context(), ['addInitScript', 'exposeFunction', 'newPage', 'on']],
  [(page) => page.context(), ['route', 'setOffline', 'addCookies']],
  [(page) => page.clock, ['install', 'setFixedTime', 'pauseAt']],
];

/**
 * Makes closing a page's context keep the page for the next test, unless it was changed in a way that a new load does
 * not reset: opening a window costs twice as much as loading the page.
 */
export function keepForNext(page: Page, keep: (page: Page) => void): void {
  const context = page.context();
  const end = context.close.bind(context);
  let isMarked = false;
  for (const [ownerOf, names] of marks) {
    const owner = ownerOf(page);
    for (const name of names) {
      const own: unknown = Reflect.get(owner, name);
      if (typeof own !== 'function') throw new Error(`a page has no ${name} any more`);
      const marking = (...given: readonly unknown[]): unknown => {
        isMarked = true;
        return Reflect.apply(own, owner, given);
      };
      Reflect.set(owner, name, marking);
    }
  }
  const undo: (() => Promise<void>)[] = [];
  const grant = context.grantPermissions.bind(context);
  context.grantPermissions = async (...given) => {
    undo.push(() => context.clearPermissions());
    await grant(...given);
  };
  const startSession = context.newCDPSession.bind(context);
  context.newCDPSession = async (...given) => {
    const session = await startSession(...given);
    // One that is detached already, as after a drop of files, is refused.
    undo.push(() => session.detach().catch(() => undefined));
    return session;
  };
  context.close = async (...why) => {
    if (isMarked || page.isClosed()) {
      await end(...why);
      return;
    }
    for (const change of undo.splice(0)) await change();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.setViewportSize(usualSize);
    await page.emulateMedia({ media: null, colorScheme: 'light', forcedColors: null, contrast: null });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    keep(page);
  };
}

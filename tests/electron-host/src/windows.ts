import { EventEmitter } from 'node:events';
import type { Page, TargetInfo } from './page.ts';
import { blankPath } from './server.ts';
import { toBrowserUrl } from './scheme-urls.ts';
import { browser, host } from './state.ts';
import type { CdpSession } from './cdp.ts';

interface Expected {
  readonly page: Page;
  readonly attached: (failure?: unknown) => void;
}

/** 'target-gone' (targetId), 'title' (targetId, title), 'popup' (openerId, url). */
export const targetEvents = new EventEmitter();

// The browser reports a new page without its owner, so pages are created one after another.
let queue: Promise<unknown> = Promise.resolve();
let expected: Expected | null = null;

/**
 * Opens a browser window on an empty page of the address's own origin, so that the preload is installed before the
 * app's page.
 */
export function openPage(
  page: Page,
  url: string,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  const made = queue.then(() => create(page, url, size));
  queue = made.catch(() => {});
  return made;
}

async function create(
  page: Page,
  url: string,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  const target = toBrowserUrl(url);
  const blank = target === url ? 'about:blank' : new URL(blankPath, target).href;
  const { cdp, openAppWindow } = browser();
  const attached = new Promise<void>((resolve, reject) => {
    expected = { page, attached: (failure) => (failure === undefined ? resolve() : reject(failure as Error)) };
  });
  if (host.headless) {
    const browserContextId = await page.session.browserContext();
    await cdp.send('Target.createTarget', { url: blank, newWindow: true, ...size, browserContextId });
  } else {
    openAppWindow(blank, !page.session.isDefault);
  }
  await attached;
}

/** Follows the browser's pages: ours are attached, any other is closed. */
export async function watchTargets(): Promise<void> {
  const { cdp } = browser();
  cdp.on<{ sessionId: string; targetInfo: TargetInfo }>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const session = cdp.session(sessionId);
    if (targetInfo.type !== 'page' || expected === null || targetInfo.openerId !== undefined)
      sendAway(session, targetInfo);
    else {
      const { page, attached } = expected;
      expected = null;
      page.attach(session, targetInfo).then(() => attached(), attached);
    }
  });
  cdp.on<{ targetInfo: TargetInfo }>('Target.targetInfoChanged', ({ targetInfo }) => {
    targetEvents.emit('title', targetInfo.targetId, targetInfo.title);
  });
  cdp.on<{ targetId: string }>('Target.targetDestroyed', ({ targetId }) => targetEvents.emit('target-gone', targetId));
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}

/**
 * Every new target is paused at its start: bubbles of the browser's own continue, pages opened by a page are closed.
 */
function sendAway(session: CdpSession, target: TargetInfo): void {
  session.send('Runtime.runIfWaitingForDebugger').catch(() => {});
  if (target.type !== 'page') return;
  if (target.openerId !== undefined) targetEvents.emit('popup', target.openerId, target.url);
  browser()
    .cdp.send('Target.closeTarget', { targetId: target.targetId })
    .catch(() => {});
}

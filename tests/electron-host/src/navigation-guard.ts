import type { CdpSession } from './cdp.ts';
import { blankPath, failureHeader } from './server.ts';
import { toAppUrl } from './scheme-urls.ts';
import { preventable } from './state.ts';
import type { Page } from './page.ts';

interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly request: { readonly url: string; readonly method: string };
  /** One of the two once there is an answer. */
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly responseErrorReason?: string;
}

/**
 * Lets the app prevent navigation. Each document request waits in the browser until the app's listeners were asked;
 * only navigation by the page itself is checked, not what main or a DevTools client loads.
 */
export class NavigationGuard {
  readonly #page: Page;
  /** Addresses loaded by main. */
  readonly #expected = new Set<string>();
  /** Frames whose own page requested navigation, by the address. */
  readonly #asked = new Map<string, string>();
  /** Why the load that main asked for failed in the app's handler, in the network's words. */
  failure: string | null = null;

  constructor(page: Page) {
    this.#page = page;
  }

  expect(url: string): void {
    this.failure = null;
    this.#expected.add(withoutHash(url));
  }

  async start(cdp: CdpSession): Promise<void> {
    cdp.on<{ frameId: string; url: string }>('Page.frameRequestedNavigation', ({ frameId, url }) => {
      this.#asked.set(frameId, withoutHash(url));
    });
    cdp.on<Paused>('Fetch.requestPaused', (paused) => {
      this.#decide(cdp, paused).catch(() => {});
    });
    const stages = ['Request', 'Response'];
    await cdp.send('Fetch.enable', {
      patterns: [
        ...stages.map((requestStage) => ({ urlPattern: '*', resourceType: 'Document', requestStage })),
        // Chromium's tabs ask for an icon, which Electron's windows never do.
        { urlPattern: '*/favicon.ico', resourceType: 'Other' },
      ],
    });
  }

  async #decide(cdp: CdpSession, paused: Paused): Promise<unknown> {
    const { requestId, frameId, responseHeaders, responseErrorReason } = paused;
    if ((responseHeaders ?? responseErrorReason) !== undefined) {
      const code = responseHeaders?.find(({ name }) => name === failureHeader)?.value;
      if (code === undefined) return cdp.send('Fetch.continueRequest', { requestId });
      this.failure = `net::${code}`;
      return cdp.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    }
    if (paused.resourceType !== 'Other' && this.#allows(paused)) await cdp.send('Fetch.continueRequest', { requestId });
    else await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return this.#asked.delete(frameId);
  }

  #allows({ frameId, redirectedRequestId, request }: Paused): boolean {
    const isMainFrame = frameId === this.#page.mainFrameId || this.#page.mainFrameId === '';
    const url = withoutHash(request.url);
    if (request.url.includes(blankPath)) return true;
    if (redirectedRequestId !== undefined) return this.#ask(['will-redirect'], request.url, isMainFrame);
    if (isMainFrame && this.#expected.delete(url)) return true;
    if (!this.#asked.has(frameId) && isMainFrame) return true;
    const events = isMainFrame ? ['will-frame-navigate', 'will-navigate'] : ['will-frame-navigate'];
    const allowed = this.#ask(events, request.url, isMainFrame);
    if (allowed && isMainFrame) void this.#page.session.allowDefaults(request.url, this.#page.browserContextId);
    return allowed;
  }

  #ask(events: readonly string[], browserUrl: string, isMainFrame: boolean): boolean {
    const url = toAppUrl(browserUrl);
    for (const name of events) {
      const event = preventable({ url, isMainFrame, isSameDocument: false, frame: null, initiator: null });
      this.#page.events.emit(name, event, url, false, isMainFrame, 1, 1);
      if (event.defaultPrevented) return false;
    }
    return true;
  }

  /** A page navigates somewhere without a network request: `about:`, `blob:`, `mailto:` and the like. */
  asked(url: string): void {
    if (!this.#ask(['will-frame-navigate', 'will-navigate'], url, true)) return;
    this.#page.navigate(url).catch(() => {});
  }
}

const withoutHash = (url: string): string => url.replace(/#.*$/s, '');

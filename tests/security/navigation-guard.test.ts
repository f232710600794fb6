import { EventEmitter } from 'node:events';
import type { App, WebContents } from 'electron';
import { expect, it } from 'vitest';
import { guardNavigation } from '../../electron/shell/security/permissions.ts';

type OpenHandler = (details: { readonly url: string }) => { readonly action: string };

/** The part of Electron's web contents that the guard listens to. */
class Contents extends EventEmitter {
  openHandler: OpenHandler | null = null;
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
}

const addresses = [
  'https://example.com/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'app://studio/',
  'app://studio/key.html',
  'app://evil/',
  'javascript:alert(1)',
  'data:text/html,x',
  'about:blank',
  'smb://host/share',
  'ms-settings:privacy',
  '',
];

const guarded = (): Contents => {
  const app = new EventEmitter();
  guardNavigation(app as unknown as App);
  const contents = new Contents();
  app.emit('web-contents-created', {}, contents as unknown as WebContents);
  return contents;
};

it.each(['will-navigate', 'will-redirect', 'will-frame-navigate', 'will-attach-webview'])(
  '%s is prevented for every address, in every web contents that is made (S-17)',
  (name) => {
    const contents = guarded();
    for (const url of addresses) {
      let isPrevented = false;
      contents.emit(name, { url, preventDefault: () => (isPrevented = true) }, url);
      expect([url, isPrevented]).toEqual([url, true]);
    }
  },
);

it('a new window is denied for every address (S-17)', () => {
  const { openHandler } = guarded();
  expect(addresses.map((url) => openHandler?.({ url }).action)).toEqual(addresses.map(() => 'deny'));
});

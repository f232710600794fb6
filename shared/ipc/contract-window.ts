import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));

/** Requests about the window itself. */
export const windowRequests = {
  /** Closing may leave the app in the tray; quitting never does. */
  'window.control': {
    input: lazySchema(() => z.strictObject({ action: z.enum(['minimize', 'toggle-maximize', 'close', 'quit']) })),
    output: done,
  },
  /**
   * Pastes into the focused element as the browser does, for a menu of the page: a page may not read the clipboard.
   * E-238 without a user activation.
   */
  'window.paste': { input: nothing, output: done },
  /** The answer to `window.leaving`. */
  'window.saved': { input: lazySchema(() => z.strictObject({ isSaved: z.boolean() })), output: done },
};

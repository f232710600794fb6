/** A window of another program, as identified by the system. */
export interface TargetWindow {
  readonly id: string;
  /** The program, for people: "Telegram". */
  readonly name: string;
  /** What its bar says: a document, a page. */
  readonly title?: string;
}

/** How text gets into other programs on this system. */
export interface TextTarget {
  /** The window with the keyboard focus; null when the system does not report it. */
  current(): Promise<TargetWindow | null>;
  /** The active keyboard layout in the system's notation (`ru`, `us(dvorak)`); null when the system does not report it. */
  layout(): Promise<string | null>;
  /** Brings a window back to the front; false when it is gone. */
  activate(window: TargetWindow): Promise<boolean>;
  /** What the paste shortcut of a program inserts: the clipboard, or on X11 the text that was marked last. */
  pastes(window: TargetWindow): 'clipboard' | 'selection';
  /** Presses the paste shortcut in the active window, whatever its keyboard layout. */
  paste(window: TargetWindow): Promise<boolean>;
  /** Types the text letter by letter, for programs that accept no paste. */
  type(text: string): Promise<boolean>;
}

/** Everything on the clipboard, in all formats; the same for the text that was marked last. */
export interface WholeClipboard {
  save(): Promise<unknown>;
  writeText(text: string): Promise<void>;
  /** Whether the clipboard still contains this text. */
  holds(text: string): Promise<boolean>;
  restore(saved: unknown): Promise<void>;
}

/** What to do when another window has come to the front since dictation began. */
export const windowRules = ['return', 'here', 'keep'] as const;
export type WindowRule = (typeof windowRules)[number];

export type Delivery =
  | { readonly kind: 'pasted' | 'typed'; readonly into: string }
  /** The text was not inserted anywhere; it is in the list. */
  | { readonly kind: 'kept'; readonly why: 'window-changed' | 'no-window' | 'refused' };

export interface DeliveryPorts {
  readonly target: TextTarget;
  readonly clipboard: WholeClipboard;
  readonly selection: WholeClipboard;
  readonly wait: (ms: number) => Promise<void>;
}

/** A program reads the clipboard with some delay after the shortcut. */
const readsWithinMs = 400;

/**
 * Inserts texts into the active program, one after another, and restores the clipboard. A text that can't be delivered
 * is kept and reported, never dropped.
 */
export function createDelivery({ target, wait, ...boards }: DeliveryPorts) {
  let last: Promise<unknown> = Promise.resolve();
  let lastText = '';

  const put = async (text: string, window: TargetWindow, types: boolean): Promise<Delivery> => {
    if (types) {
      const isTyped = await target.type(text);
      return isTyped ? { kind: 'typed', into: window.name } : { kind: 'kept', why: 'refused' };
    }
    const clipboard = boards[target.pastes(window)];
    const saved = await clipboard.save();
    await clipboard.writeText(text);
    const isPasted = await target.paste(window);
    if (isPasted) await wait(readsWithinMs);
    // Something the user copied meanwhile is left alone.
    if (await clipboard.holds(text)) await clipboard.restore(saved);
    if (isPasted) return { kind: 'pasted', into: window.name };
    return (await target.type(text)) ? { kind: 'typed', into: window.name } : { kind: 'kept', why: 'refused' };
  };

  const deliver = async (
    text: string,
    startedIn: TargetWindow | null,
    rule: WindowRule,
    types: boolean,
  ): Promise<Delivery> => {
    lastText = text;
    const now = await target.current();
    if (now === null && startedIn === null) return { kind: 'kept', why: 'no-window' };
    if (startedIn === null || now?.id === startedIn.id || rule === 'here') {
      const window = now ?? startedIn;
      return window === null ? { kind: 'kept', why: 'no-window' } : put(text, window, types);
    }
    if (rule === 'keep' || !(await target.activate(startedIn))) return { kind: 'kept', why: 'window-changed' };
    return put(text, startedIn, types);
  };

  /** Two takes in a row share one clipboard, so one waits for the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };

  return {
    deliver: (text: string, startedIn: TargetWindow | null, rule: WindowRule, types = false): Promise<Delivery> =>
      inTurn(() => deliver(text, startedIn, rule, types)),
    /**
     * Pastes a text into the active window, if that is the wanted one when its turn comes; it is not the last text of
     * dictation.
     */
    tryPaste: (text: string, isWanted: () => boolean): Promise<Delivery> =>
      inTurn(async () => {
        const window = await target.current();
        if (!isWanted()) return { kind: 'kept', why: 'window-changed' };
        return window === null ? { kind: 'kept', why: 'no-window' } : put(text, window, false);
      }),
    /** Pastes the last text again, into whatever window is active. */
    pasteLast: (): Promise<Delivery> =>
      inTurn(async () =>
        lastText === '' ? { kind: 'kept', why: 'no-window' } : deliver(lastText, null, 'here', false),
      ),
  };
}

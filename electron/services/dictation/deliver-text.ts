/** A window of another program, as the system names it. */
export interface TargetWindow {
  readonly id: string;
  /** The program, for people: "Telegram". */
  readonly name: string;
  /** What its bar says: a document, a page. */
  readonly title?: string;
}

/** How text gets into other programs on this system. */
export interface TextTarget {
  /** The window that has the keyboard; null when the system does not say. */
  current(): Promise<TargetWindow | null>;
  /** The keyboard layout in use, as the system names it (`ru`, `us(dvorak)`); null when it does not say. */
  layout(): Promise<string | null>;
  /** Brings a window back to the front; false when it is gone. */
  activate(window: TargetWindow): Promise<boolean>;
  /** Presses the keys for "paste" in the window in front, whatever its keyboard layout. */
  paste(window: TargetWindow): Promise<boolean>;
  /** Types the text letter by letter, for programs that take no paste. */
  type(text: string): Promise<boolean>;
}

/** Everything the clipboard holds, whatever its kinds are. */
export interface WholeClipboard {
  save(): Promise<unknown>;
  writeText(text: string): Promise<void>;
  /** Whether somebody has put something else there since. */
  holds(text: string): Promise<boolean>;
  restore(saved: unknown): Promise<void>;
}

/** What happens when another window has come to the front since speaking began. */
export const windowRules = ['return', 'here', 'keep'] as const;
export type WindowRule = (typeof windowRules)[number];

export type Delivery =
  | { readonly kind: 'pasted' | 'typed'; readonly into: string }
  /** Nothing was put anywhere; the text is in the list. */
  | { readonly kind: 'kept'; readonly why: 'window-changed' | 'no-window' | 'refused' };

export interface DeliveryPorts {
  readonly target: TextTarget;
  readonly clipboard: WholeClipboard;
  readonly wait: (ms: number) => Promise<void>;
}

/** A program reads the clipboard some time after the keys were pressed. */
const readsWithinMs = 400;

/**
 * Puts texts into the program in use, one after another, and the clipboard back as it was. What can't be delivered is
 * kept and told, never dropped.
 */
export function createDelivery({ target, clipboard, wait }: DeliveryPorts) {
  let last: Promise<unknown> = Promise.resolve();
  let lastText = '';

  const put = async (text: string, window: TargetWindow, types: boolean): Promise<Delivery> => {
    if (types) {
      const isTyped = await target.type(text);
      return isTyped ? { kind: 'typed', into: window.name } : { kind: 'kept', why: 'refused' };
    }
    const saved = await clipboard.save();
    await clipboard.writeText(text);
    const isPasted = await target.paste(window);
    await wait(readsWithinMs);
    // What a person copied meanwhile is theirs.
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

  /** Two takes that follow each other share one clipboard, so one waits for the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };

  return {
    deliver: (text: string, startedIn: TargetWindow | null, rule: WindowRule, types = false): Promise<Delivery> =>
      inTurn(() => deliver(text, startedIn, rule, types)),
    /** The last text once more, into whatever window is in front. */
    pasteLast: (): Promise<Delivery> =>
      inTurn(async () =>
        lastText === '' ? { kind: 'kept', why: 'no-window' } : deliver(lastText, null, 'here', false),
      ),
  };
}

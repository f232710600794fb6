export interface TargetWindow {
  readonly id: string;
  readonly name: string;
  readonly title?: string;
}

export interface TextTarget {
  current(): Promise<TargetWindow | null>;
  layout(): Promise<string | null>;
  activate(window: TargetWindow): Promise<boolean>;
  pastes(window: TargetWindow): 'clipboard' | 'selection';
  paste(window: TargetWindow): Promise<boolean>;
  type(text: string): Promise<boolean>;
}

export interface WholeClipboard {
  save(): Promise<unknown>;
  writeText(text: string): Promise<void>;
  holds(text: string): Promise<boolean>;
  restore(saved: unknown): Promise<void>;
}

export const windowRules = ['return', 'here', 'keep'] as const;
export type WindowRule = (typeof windowRules)[number];

export type Delivery =
  | { readonly kind: 'pasted' | 'typed'; readonly into: string }
  | { readonly kind: 'kept'; readonly why: 'window-changed' | 'no-window' | 'refused' };

/** A program reads the clipboard with some delay after the shortcut. */
const readsWithinMs = 400;

/** A text that can't be delivered is kept and reported, never dropped. */
export function createDelivery({
  target,
  wait,
  ...boards
}: {
  readonly target: TextTarget;
  readonly clipboard: WholeClipboard;
  readonly selection: WholeClipboard;
  readonly wait: (ms: number) => Promise<void>;
}) {
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
    /** Only if the wanted window is active when its turn comes; not the last text of dictation. */
    tryPaste: (text: string, isWanted: () => boolean): Promise<Delivery> =>
      inTurn(async () => {
        const window = await target.current();
        if (!isWanted()) return { kind: 'kept', why: 'window-changed' };
        return window === null ? { kind: 'kept', why: 'no-window' } : put(text, window, false);
      }),
    pasteLast: (): Promise<Delivery> =>
      inTurn(async () =>
        lastText === '' ? { kind: 'kept', why: 'no-window' } : deliver(lastText, null, 'here', false),
      ),
  };
}

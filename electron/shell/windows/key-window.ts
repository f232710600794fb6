import { session, type BrowserWindow } from 'electron';
import type { KeyMessage, KeySubmitAnswer, KeyWindowWords } from '../../ipc/key-entry.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import type { KeyDescription, KeyTextProblem } from '../../services/secrets/key-service.ts';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';
import { dialogWords } from '../words.ts';
import { createWindow } from './create-window.ts';

const size = { width: 480, height: 330 };

/** The centre of another window, for systems that would place a dialog anywhere. */
const centredIn = ({ x, y, width, height }: Electron.Rectangle) => ({
  x: Math.round(x + (width - size.width) / 2),
  y: Math.round(y + (height - size.height) / 2),
});

/** In memory only; no page of the main window shares anything with it. */
export const keyPartition = 'key-entry';

/**
 * What is typed: the key of the current routes, one of the legacy API, the token of the account, or a signing secret.
 */
export type KeyPurpose = 'current' | 'legacy' | 'account' | 'signing';

const purposeWords = {
  current: { title: 'key.title', label: 'key.label', hint: null },
  legacy: { title: 'key.legacyTitle', label: 'key.legacyLabel', hint: 'key.legacyHint' },
  account: { title: 'key.accountTitle', label: 'key.accountLabel', hint: 'key.accountHint' },
  signing: { title: 'key.signingTitle', label: 'key.signingLabel', hint: 'key.signingHint' },
} as const satisfies Readonly<Record<KeyPurpose, unknown>>;

type KeyTaker = { save(text: string): Promise<Result<unknown, KeyTextProblem>> };

export interface KeyWindowOptions {
  readonly preload: string;
  readonly keys: Readonly<Record<KeyPurpose, KeyTaker>> & {
    readonly current: { describe(): Pick<KeyDescription, 'keychain'> };
  };
  readonly isRefused: (text: string) => Promise<boolean>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly parent: () => BrowserWindow | undefined;
  readonly prepareSession: (session: Electron.Session) => void;
  readonly onOpened: (window: BrowserWindow) => void;
}

/** The small window for typing a key (S-06): its own session, its own bridge with one channel, destroyed afterwards. */
export function createKeyWindow(options: KeyWindowOptions) {
  const { keys, settings } = options;
  let window: BrowserWindow | null = null;
  let isPrepared = false;
  let purpose: KeyPurpose = 'current';

  const close = () => {
    window?.destroy();
    window = null;
  };

  const words = (): KeyWindowWords => {
    const { interfaceLanguage, appearance, contrast } = settings.get();
    const say = dialogWords(interfaceLanguage);
    const { title, label, hint } = purposeWords[purpose];
    const kept = keys.current.describe().keychain === 'no-service' ? 'key.notStored' : 'key.stored';
    const hints = [hint, purpose === 'signing' ? null : kept, 'key.unseen'].filter((key) => key !== null);
    return {
      language: interfaceLanguage,
      appearance,
      contrast,
      title: say(title),
      label: say(label),
      hint: hints.map((key) => say(key)).join(' '),
      save: say('key.save'),
      cancel: say('key.cancel'),
      show: say('key.show'),
      hide: say('key.hide'),
    };
  };

  const submit = async (value: string): Promise<KeySubmitAnswer> => {
    const asked = window;
    const isRefused = purpose === 'current' && (await options.isRefused(value));
    // It was cancelled meanwhile.
    if (window !== asked) return { accepted: false, problem: '' };
    const saved = isRefused ? err('refused' as const) : await keys[purpose].save(value);
    if (saved.ok) {
      // Closed after the answer was sent, because a closed window can't receive it.
      setImmediate(close);
      return { accepted: true };
    }
    return { accepted: false, problem: dialogWords(settings.get().interfaceLanguage)(`key.problems.${saved.error}`) };
  };

  return {
    /**
     * One window at a time: opening it for another key replaces it, so that no key is ever typed for the wrong purpose.
     */
    open(wanted: KeyPurpose): void {
      if (window !== null && wanted === purpose) {
        window.focus();
        return;
      }
      close();
      purpose = wanted;
      if (!isPrepared) options.prepareSession(session.fromPartition(keyPartition));
      isPrepared = true;
      const parent = options.parent();
      const look = {
        ...size,
        ...(parent === undefined ? {} : centredIn(parent.getBounds())),
        resizable: false,
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        title: words().title,
        autoHideMenuBar: true,
        show: false,
        ...(parent === undefined ? {} : { parent, modal: true }),
      };
      const opened = createWindow(look, { preload: options.preload, partition: keyPartition, devTools: false });
      window = opened;
      opened.once('ready-to-show', () => opened.show());
      opened.on('closed', () => {
        // A replaced window may close after the next has opened.
        if (window === opened) window = null;
      });
      options.onOpened(opened);
      void opened.loadURL('app://studio/key.html');
    },
    close,
    answer: async (message: KeyMessage): Promise<unknown> => {
      switch (message.type) {
        case 'words':
          return words();
        case 'submit':
          return submit(message.value);
        case 'cancel':
          setImmediate(close);
          return null;
        default:
          return null;
      }
    },
  };
}

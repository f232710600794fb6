import { app, dialog, type BrowserWindow } from 'electron';
import type { StoredSettings } from '../services/settings/stored-settings.ts';
import { createRestartLimit } from './windows/place-window.ts';
import { dialogWords, translate } from './words.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { FailureKind } from '../../shared/result/failure-kinds.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';

const stopLimitMs = 4000;
/** A page that has not answered by then hangs. */
const saveLimitMs = 5000;
const quitButton = 0;
const keepButton = 1;
const hideButton = 2;

export interface LifecycleOptions {
  readonly settings: () => StoredSettings;
  readonly uploadCount: () => number;
  readonly canHide: () => boolean;
  readonly askToSave: () => void;
  readonly stop: () => Promise<void>;
  readonly unansweredMeansQuit: boolean;
}

/** Nothing is lost without a question: uploads ask once, and the page saves what was typed last. */
export function createLifecycle(options: LifecycleOptions) {
  let isQuitAgreed = false;
  let isStopped = false;
  let isAsking = false;
  let staysInTray = false;

  /** `mayHide`: only the window was closed, so continuing without it is an option too. */
  const agreesToQuit = async (window: BrowserWindow | undefined, mayHide = false): Promise<boolean> => {
    const count = options.uploadCount();
    if (isQuitAgreed || count === 0) return true;
    if (isAsking) return false;
    isAsking = true;
    const say = dialogWords(options.settings().interfaceLanguage);
    const question = {
      type: 'question' as const,
      message: say('quit.still', { count }),
      detail: say('quit.detail'),
      buttons: [say('quit.quit'), say('quit.keep'), ...(mayHide && options.canHide() ? [say('quit.hide')] : [])],
      defaultId: keepButton,
      cancelId: options.unansweredMeansQuit ? quitButton : keepButton,
    };
    const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
    const { response } = await shown.finally(() => {
      isAsking = false;
    });
    if (response === hideButton) {
      staysInTray = true;
      window?.hide();
    }
    isQuitAgreed = response === quitButton;
    return isQuitAgreed;
  };

  let answered: (isSaved: boolean) => void = () => undefined;
  const saveAndLeave = async (window: BrowserWindow): Promise<boolean> => {
    if (window.isDestroyed() || window.webContents.isCrashed() || window.webContents.isLoadingMainFrame()) return true;
    const isSaved = await new Promise<boolean | null>((resolve) => {
      const limit = setTimeout(() => resolve(null), saveLimitMs);
      answered = (answer) => {
        clearTimeout(limit);
        resolve(answer);
      };
      options.askToSave();
    });
    // What was typed in a page that crashed meanwhile is gone already.
    if (isSaved === true || window.isDestroyed() || window.webContents.isCrashed()) return true;
    const say = dialogWords(options.settings().interfaceLanguage);
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: say(isSaved === null ? 'quit.hangs' : 'quit.unsaved'),
      detail: say(isSaved === null ? 'quit.hangsDetail' : 'quit.unsavedDetail'),
      buttons: [say('quit.quit'), say('quit.back')],
      defaultId: keepButton,
      cancelId: options.unansweredMeansQuit ? quitButton : keepButton,
    });
    return response === quitButton;
  };
  let leaving: Promise<boolean> | null = null;
  const agreesToLeave = async (window: BrowserWindow): Promise<boolean> => {
    leaving ??= saveAndLeave(window).finally(() => {
      leaving = null;
    });
    const agrees = await leaving;
    // The app goes on, so the next quit asks about uploads again.
    if (!agrees) isQuitAgreed = false;
    return agrees;
  };

  const stopAndQuit = async (window: BrowserWindow | undefined) => {
    if (!(await agreesToQuit(window))) return;
    if (window !== undefined && !(await agreesToLeave(window))) return;
    const limit = setTimeout(() => app.exit(0), stopLimitMs);
    await options.stop();
    clearTimeout(limit);
    isStopped = true;
    app.quit();
  };

  return {
    noteSaved(isSaved: boolean): void {
      answered(isSaved);
    },
    watchWindow(window: BrowserWindow): void {
      let mayClose = false;
      const askAndClose = async () => {
        if (!(await agreesToQuit(window, true)) || !(await agreesToLeave(window))) return;
        mayClose = true;
        if (!window.isDestroyed()) window.close();
      };
      // Windows ends a session without asking the app to quit.
      window.on('query-session-end', () => options.askToSave());
      window.on('close', (event) => {
        if (mayClose || isStopped) return;
        event.preventDefault();
        const isSending = options.uploadCount() > 0 && !isQuitAgreed;
        if (isSending && staysInTray && options.canHide()) window.hide();
        else void askAndClose();
      });
    },
    watchApp(studio: () => BrowserWindow | undefined): void {
      let isStopping = false;
      app.on('before-quit', (event) => {
        if (isStopped) return;
        event.preventDefault();
        if (isStopping) return;
        isStopping = true;
        void stopAndQuit(studio()).finally(() => {
          isStopping = false;
        });
      });
      app.on('window-all-closed', () => {
        if (process.platform !== 'darwin') app.quit();
      });
    },
  };
}

/** Reloads a page that crashed or hangs, at most three times in five minutes. Work in main goes on. */
export function reviveCrashedPage(
  window: BrowserWindow,
  settings: () => StoredSettings,
  note: (code: string) => void,
): void {
  const limit = createRestartLimit(() => performance.now());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    note(reason);
    if (limit.mayRestart()) {
      window.webContents.reload();
      return;
    }
    const say = dialogWords(settings().interfaceLanguage);
    const words = { message: say('windowFailed.message'), detail: say('windowFailed.detail') };
    void dialog.showMessageBox(window, { type: 'error', ...words, buttons: [say('close')] });
  });
  window.on('unresponsive', () => window.webContents.forcefullyCrashRenderer());
}

export function showStartFailure(row: FailureKind, language: InterfaceLanguage): string {
  const { titleKey, textKey, params } = describeFailure(makeFailure(row), language);
  const [title, text] = [translate(language, titleKey, params), translate(language, textKey, params)];
  dialog.showErrorBox(title, text);
  return `${title}. ${text}`;
}

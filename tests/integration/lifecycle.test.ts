import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../electron/services/settings/stored-settings.ts';
import { createLifecycle } from '../../electron/shell/lifecycle.ts';

const { asked, app, dialog } = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  const questions: { message: string; buttons: string[]; answer: (response: number) => void }[] = [];
  return {
    asked: questions,
    app: Object.assign(new Emitter(), { quit: () => undefined, exit: () => undefined }),
    dialog: {
      showMessageBox: (...given: { message: string; buttons: string[] }[]) =>
        new Promise((resolve) => {
          const { message = '', buttons = [] } = given.at(-1) ?? {};
          questions.push({ message, buttons, answer: (response) => resolve({ response }) });
        }),
    },
  };
});
vi.mock('electron', () => ({ app, dialog }));

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
});
afterEach(() => vi.useRealTimers());

/** A window and its lifecycle; `close` is the cross of the window. */
function open(uploads = 0) {
  const state = { uploads, closed: 0, saveRequests: 0, isCrashed: false, isLoading: false };
  const webContents = { isCrashed: () => state.isCrashed, isLoadingMainFrame: () => state.isLoading };
  const close = () => {
    const event = { isPrevented: false, preventDefault: () => (event.isPrevented = true) };
    window.emit('close', event);
    if (!event.isPrevented) state.closed += 1;
  };
  const window = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    hide: () => undefined,
    webContents,
    close,
  });
  const lifecycle = createLifecycle({
    settings: () => ({ ...defaultSettings, interfaceLanguage: 'en' }),
    uploadCount: () => state.uploads,
    canHide: () => false,
    askToSave: () => (state.saveRequests += 1),
    stop: async () => undefined,
    unansweredMeansQuit: false,
  });
  lifecycle.watchWindow(window as never);
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { state, window, close, lifecycle, settle };
}

it('the window closes once the page has saved what was typed last, without a question', async () => {
  const { state, close, lifecycle, settle } = open();
  close();
  await settle();
  expect([state.saveRequests, state.closed]).toEqual([1, 0]);
  lifecycle.noteSaved(true);
  await settle();
  expect([state.closed, asked]).toEqual([1, []]);
});

it('what was typed last is saved when Windows ends the session', () => {
  const { state, window } = open();
  window.emit('query-session-end', {});
  expect(state.saveRequests).toBe(1);
});

it('what could not be saved is asked about, and going back keeps the window', async () => {
  const { state, close, lifecycle, settle } = open();
  for (const [response, closed] of [
    [1, 0],
    [0, 1],
  ] as const) {
    close();
    await settle();
    lifecycle.noteSaved(false);
    await settle();
    expect(asked.at(-1)).toMatchObject({
      message: 'The last changes could not be saved',
      buttons: ['Quit', 'Go back'],
    });
    asked.at(-1)?.answer(response);
    await settle();
    expect(state.closed).toBe(closed);
  }
});

it('a page that does not answer is asked about, unless it has crashed or is loading', async () => {
  const { state, close, settle } = open();
  close();
  await vi.advanceTimersByTimeAsync(6000);
  expect([state.closed, asked.map(({ message }) => message)]).toEqual([0, ['The window is not answering']]);
  asked[0]?.answer(1);
  await settle();
  expect(state.closed).toBe(0);
  close();
  state.isCrashed = true;
  await vi.advanceTimersByTimeAsync(6000);
  expect([state.closed, asked.length]).toEqual([1, 1]);
  const loading = open();
  loading.state.isLoading = true;
  loading.close();
  await settle();
  expect([loading.state.saveRequests, loading.state.closed]).toEqual([0, 1]);
});

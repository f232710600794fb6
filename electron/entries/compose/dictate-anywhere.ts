import { setTimeout as wait } from 'node:timers/promises';
import electron, { BrowserWindow } from 'electron';
import { toAccelerator } from '../../../shared/domain/commands/accelerator.ts';
import { createKeymap } from '../../../shared/domain/commands/keymap.ts';
import type { DictationReach } from '../../../shared/ipc/contract-dictation.ts';
import { chooseLanguage, nextLanguage } from '../../../shared/domain/dictation/choose-language.ts';
import { joinPhrases } from '../../../shared/domain/dictation/spoken-commands.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { createGlobalKeys } from '../../platform/electron/global-keys.ts';
import { wholeClipboard } from '../../platform/electron/whole-clipboard.ts';
import { openX11Target } from '../../platform/node/x11-target.ts';
import { createDelivery, type Delivery, type TargetWindow } from '../../services/dictation/deliver-text.ts';
import { readHeldKey } from '../../services/dictation/held-key.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';

export interface DictateAnywhereOptions {
  readonly settings: SettingsStore;
  readonly workspaces: WorkspaceSwitch;
  /** Starts or stops dictating in the page. */
  readonly toggle: () => void;
  /** The program in front when the microphone was switched on. */
  readonly onBegun: (program: string) => void;
  readonly onDelivered: (delivered: Delivery) => void;
  /** Whether the system delivers key presses outside our windows. */
  readonly hasGlobalKeys: boolean;
}

interface Target {
  readonly after: number;
  readonly window: TargetWindow | null;
  lastText: string;
}

/** Commands with a global key; where the system has none, only the first remains. */
const globalCommands = ['dictation.toggle', 'dictation.pasteLast', 'dictation.nextLanguage'] as const;
type GlobalCommand = (typeof globalCommands)[number];

/** A text that arrives later than this is offered in the list instead of being pasted by surprise. */
const latestMs = 60_000;

/**
 * Dictation from any program: a global key starts and stops it, and each phrase goes to the program in which it was
 * begun.
 */
export function dictateAnywhere(options: DictateAnywhereOptions) {
  const { settings, workspaces, toggle, hasGlobalKeys } = options;
  const opening = openX11Target(process.env['WAYLAND_DISPLAY'] === undefined ? process.env['DISPLAY'] : undefined);
  const delivery = opening.then((target) =>
    target === null
      ? null
      : createDelivery({
          target,
          clipboard: wholeClipboard(electron),
          selection: wholeClipboard({ ...electron, clipboard: electron.clipboard.selection }),
          wait: (ms) => wait(ms),
        }),
  );
  /** The program in front when the key was pressed, until a take begins. */
  let wanted: TargetWindow | null = null;
  /** One entry each time the microphone was switched on: later phrases go to that program, or to none. */
  let targets: readonly Target[] = [];
  let takeId: string | null = null;
  let isRecording = false;
  let doneUpTo = 0;
  let key: DictationReach['key'] = hasGlobalKeys ? 'off' : 'no-keys';

  /** Takes the language from the program in front or from the keyboard; the renderer reads it when it starts. */
  const followLanguage = async (window: TargetWindow | null): Promise<void> => {
    const { dictationLanguage, dictationFollowsLayout, dictationLanguageRules } = settings.get();
    const layout = dictationFollowsLayout ? ((await (await opening)?.layout()) ?? null) : null;
    const choice = { rules: dictationLanguageRules, followsLayout: dictationFollowsLayout, chosen: dictationLanguage };
    const language = chooseLanguage(choice, window === null ? null : `${window.name} ${window.title ?? ''}`, layout);
    if (language !== dictationLanguage) settings.update({ dictationLanguage: language });
  };

  /** Whether the last press of the key began a take. */
  let hasBegun = false;
  const press = async (): Promise<void> => {
    hasBegun = !isRecording;
    const isElsewhere = BrowserWindow.getFocusedWindow() === null;
    if (!isRecording) {
      const window = isElsewhere ? ((await (await opening)?.current()) ?? null) : null;
      if (settings.get().dictationTarget === 'app') wanted = window;
      await followLanguage(window);
    }
    toggle();
  };
  const pasteLast = async (): Promise<void> => {
    const delivered = await (await delivery)?.pasteLast();
    if (delivered !== undefined) options.onDelivered(delivered);
  };
  const release = (): void => {
    if (hasBegun && isRecording && settings.get().dictationMode === 'hold') toggle();
  };
  const keys = createGlobalKeys<GlobalCommand>({
    'dictation.toggle': readHeldKey({ press: () => void press(), release }),
    'dictation.pasteLast': readHeldKey({ press: () => void pasteLast() }),
    'dictation.nextLanguage': readHeldKey({
      press: () => void settings.update({ dictationLanguage: nextLanguage(settings.get().dictationLanguage) }),
    }),
  });

  const refresh = (): void => {
    if (!hasGlobalKeys) return;
    const { shortcuts, usesLetterKeys } = settings.get();
    const keymap = createKeymap(shortcuts, usesLetterKeys);
    for (const command of globalCommands) {
      const shortcut = keymap.keyOf(command);
      const accelerator = shortcut === null ? null : toAccelerator(shortcut);
      keys.assign(command, accelerator);
      if (command === 'dictation.toggle')
        key = accelerator === null ? 'off' : keys.acceleratorOf(command) === null ? 'taken' : 'works';
    }
  };

  const follow = async (change: TakeChange): Promise<void> => {
    if (change.isRecording && !isRecording) {
      const after = change.phrases?.length ?? 0;
      if (takeId !== change.takeId) {
        takeId = change.takeId;
        doneUpTo = after;
        targets = [];
      }
      targets = [...targets, { after, window: wanted, lastText: '' }];
      options.onBegun(wanted?.name ?? '');
      wanted = null;
    }
    if (change.takeId === takeId) isRecording = change.isRecording;
    const putter = await delivery;
    if (change.takeId !== takeId || change.phrases === null || putter === null) return;
    for (const phrase of change.phrases.slice(doneUpTo)) {
      if (phrase.state === 'waiting' || phrase.state === 'speaking' || phrase.cleanUp?.isArriving === true) return;
      doneUpTo = phrase.id;
      const target = targets.findLast(({ after }) => after < phrase.id);
      const isLate = Date.now() - phrase.spokenAtMs - (phrase.endMs ?? phrase.startMs) + phrase.startMs > latestMs;
      if (target === undefined || target.window === null || isLate) continue;
      if (phrase.state !== 'text' || phrase.text === '') continue;
      const text = joinPhrases(target.lastText, phrase.text).slice(target.lastText.length);
      target.lastText = phrase.text;
      const workspace = workspaces.current();
      void putter.deliver(text, target.window, settings.get().dictationWindowRule).then((delivered) => {
        options.onDelivered(delivered);
        if (delivered.kind === 'kept' || !workspace.ok) return;
        workspace.value.dictation.noteDelivery(change.takeId, [phrase.id], delivered.into);
      });
    }
  };

  const programs = async (): Promise<DictationReach['programs']> => {
    if (!hasGlobalKeys) return 'no-keys';
    if (process.platform !== 'linux') return 'not-yet';
    if (process.env['WAYLAND_DISPLAY'] !== undefined) return 'wayland';
    return (await opening) === null ? 'no-xdotool' : 'reached';
  };

  // Wayland lets no program put a window above the others or choose its place.
  const canOverlay = hasGlobalKeys && process.env['WAYLAND_DISPLAY'] === undefined;

  return {
    refresh,
    canOverlay,
    tryPaste: async (text: string, isWanted: () => boolean): Promise<void> => {
      await (await delivery)?.tryPaste(text, isWanted);
    },
    pasteLast,
    /** The key to press in any program, as an accelerator; null: it does not work there. */
    workingKey: (): string | null => (key === 'works' ? keys.acceleratorOf('dictation.toggle') : null),
    describe: async (): Promise<DictationReach> => ({
      key,
      canOverlay,
      programs: await programs(),
      tellsRelease: hasGlobalKeys && process.platform === 'linux' && process.env['WAYLAND_DISPLAY'] === undefined,
      tellsLayout: hasGlobalKeys && (await (await opening)?.layout()) != null,
    }),
    follow: (change: TakeChange): void => void follow(change),
  };
}

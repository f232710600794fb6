import { createContext, useContext, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { nextLanguage } from '../../../shared/domain/dictation/choose-language.ts';
import { pageOf, type PagePart } from '../../../shared/domain/dictation/rewriting.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useCommands } from '../../lib/commands.tsx';
import { useFormats, useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useCopy, useUndoNotice } from '../../ui/notices.ts';
import { createDictationStore, type DictationState, type DictationStore } from './model/dictation-store.ts';

const DictationContext = createContext<DictationStore | null>(null);

export function useDictation(): DictationStore {
  const value = useContext(DictationContext);
  if (value === null) throw new Error('useDictation outside of DictationProvider');
  return value;
}

export const useDictationState = <T,>(select: (state: DictationState) => T): T =>
  useStore(useDictation().store, select);

/** The session as it is shown, with what was rewritten in it. */
export function usePage(): readonly PagePart[] {
  const phrases = useDictationState((state) => state.phrases);
  const rewritings = useDictationState((state) => state.rewritings);
  return pageOf(phrases, rewritings);
}

/** Surrounds all screens, because recording goes on whichever section is shown. */
export function DictationProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [dictation] = useState(() => createDictationStore(studio));
  const { dictationLanguage, dictationMode, dictationDevice, dictationSounds, dictationSession, keepsMicrophoneReady } =
    useSettings();
  const change = useSettingsChange();
  const showToast = useToast();
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const showUndo = useUndoNotice();
  const { mode } = useConnection();
  const discard = async () => {
    const discarded = await dictation.discard();
    const { takeId } = dictation.store.getState();
    if (takeId === null || discarded.length === 0) return;
    const seconds = formats.number(
      Math.round(discarded.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0) / 100) / 10,
    );
    const isCharged = !modeOf(mode).isFree && discarded.some(({ unanswered }) => unanswered > 0);
    showUndo({
      text: [t('dictation.discarded', { seconds }), ...(isCharged ? [t('dictation.sentBefore')] : [])].join('. '),
      undo: () => {
        for (const { id } of discarded) void studio.request('dictation.restore', { takeId, phraseId: id });
      },
    });
  };
  useEffect(() => dictation.follow(), [dictation]);
  // Another way to start and stop ends what was begun in the old one.
  useEffect(() => () => dictation.stop(), [dictation, dictationMode]);
  const readyDevice = keepsMicrophoneReady ? dictationDevice : null;
  useEffect(() => {
    void dictation.keepReady(readyDevice);
    return () => void dictation.keepReady(null);
  }, [dictation, readyDevice]);
  useKeptSession(dictation, dictationSession, (takeId) => void change({ dictationSession: takeId }));
  useEffect(
    () =>
      dictation.store.subscribe(({ phase }, { phase: before }) => {
        if (!dictationSounds || phase === before) return;
        if (phase === 'recording') playCue('start');
        if (before === 'recording') playCue('stop');
      }),
    [dictation, dictationSounds],
  );
  const toggle = useMemo(
    () => ({
      'dictation.toggle': () => {
        if (dictation.store.getState().phase !== 'idle') dictation.stop();
        else
          void dictation.start({
            language: dictationLanguage,
            mode: dictationMode === 'hold' ? 'toggle' : dictationMode,
            device: dictationDevice,
          });
      },
      'dictation.nextLanguage': () => {
        const language = nextLanguage(dictationLanguage);
        void change({ dictationLanguage: language });
        dictation.setLanguage(language);
        showToast({ text: t('dictation.languageNow', { language: t(`common.languages.${language}`) }) });
      },
      'dictation.swapRaw': () => {
        const { takeId, phrases } = dictation.store.getState();
        const last = phrases.findLast(({ cleanUp, isEdited }) => cleanUp?.isChanged === true && !isEdited);
        if (takeId === null || last === undefined) showToast({ text: t('dictation.cleanUp.nothingToSwap') });
        else
          void studio.request('dictation.showRaw', {
            takeId,
            phraseId: last.id,
            isRaw: last.cleanUp?.isShown === true,
          });
      },
      'dictation.pasteLast': () => {
        const text = dictation.store.getState().phrases.findLast(({ state }) => state === 'text')?.text ?? '';
        if (text === '') return;
        // Inserted into the focused field like typed text; elsewhere it is only copied.
        const field = document.activeElement;
        if (field instanceof HTMLElement && field.matches('input, textarea, [contenteditable]'))
          document.execCommand('insertText', false, text);
        else void copy(text);
      },
    }),
    [dictation, dictationLanguage, dictationMode, dictationDevice, change, copy, showToast, studio, t],
  );
  useCommands(toggle);
  const isOn = useStore(dictation.store, ({ phase }) => phase === 'starting' || phase === 'recording');
  useCommands({ 'dictation.discard': isOn && (() => void discard()) });
  return <DictationContext value={dictation}>{children}</DictationContext>;
}

/** From one pitch in hertz to the other: rising when the microphone goes on, falling when it goes off. */
const pitches = { start: [523.25, 783.99], stop: [659.25, 392] } as const;
const lastsS = 0.09;
const loudness = 0.08;

/** A short sound for the state of the microphone, for users who don't watch the screen. */
function playCue(cue: keyof typeof pitches): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.connect(context.destination);
  const [from, to] = pitches[cue];
  const tone = context.createOscillator();
  const now = context.currentTime;
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.setValueAtTime(to, now + lastsS / 2);
  gain.gain.setValueAtTime(loudness, now);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + lastsS);
  tone.connect(gain);
  tone.start(now);
  tone.stop(now + lastsS);
  tone.addEventListener('ended', () => void context.close());
}

/** A session lasts until another one begins, so it is there again after a restart, once the library is open. */
function useKeptSession(dictation: DictationStore, kept: string, keep: (takeId: string) => void): void {
  const onTake = useEffectEvent(keep);
  const { mode, practice } = useConnection();
  useEffect(() => {
    if (kept !== '' && dictation.store.getState().takeId === null) void dictation.continueWith(kept);
  }, [dictation, kept, mode, practice]);
  useEffect(
    () =>
      dictation.store.subscribe(({ takeId }, { takeId: before }) => {
        if (takeId !== before) onTake(takeId ?? '');
      }),
    [dictation],
  );
}

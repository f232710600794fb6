import { Languages, Terminal, Timer } from 'lucide-react';
import { useMemo, useState } from 'react';
import { foreignBlocks } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { overlongMs } from '../model/block-status.ts';
import { useBlocks } from '../use-cost.ts';
import { useSampleText } from '../use-sample-text.ts';
import { useVoices } from '../use-voices.ts';

/** How to install a speech program for practice mode, one line per system. */
const installLines = {
  linux: 'sudo apt install espeak-ng',
  darwin: 'brew install espeak-ng',
  win32: 'winget install eSpeak-NG.eSpeak-NG',
} as const;

/** What prevents the text from being spoken, and what to do about it. */
export function Notices() {
  const t = useText();
  const showToast = useToast();
  const { data } = useVoices();
  const { mode } = useConnection();
  const { store } = useSpeaking();
  const states = useBlocks();
  const orderFailure = useSpeakState((state) => state.orderFailure);
  const stayed = useSpeakState(({ status, failure }) => (status === 'ready' ? failure : null));
  const isUnsaved = useSpeakState(({ saving }) => typeof saving === 'object');
  const agent = navigator.userAgent;
  const line = installLines[agent.includes('Windows') ? 'win32' : agent.includes('Mac') ? 'darwin' : 'linux'];
  const trySample = useSampleText();
  // An empty text offers it in its place.
  const isEmpty = useSpeakState((state) => state.document?.text.trim() === '');
  const cannotSpeak = mode === 'practice' && data?.canSpeak === false;
  const foreign = useForeign();
  const overlong = useOverlong();
  // Without a speech program every sentence fails, for the reason that is shown already.
  const failedAt = cannotSpeak ? -1 : states.findIndex(({ status }) => status.state === 'failed');
  const failedCount = states.filter(({ status }) => status.state === 'failed').length;
  const stopped = orderFailure ?? states[failedAt]?.status.failure ?? null;
  if (!cannotSpeak && stopped === null && stayed === null && foreign === null && overlong === null) return null;
  return (
    <div className={css['notices']}>
      {cannotSpeak && (
        <Banner
          tone="warn"
          icon={Terminal}
          title={t('speak.noSpeech')}
          actions={
            <>
              {!isEmpty && (
                <Button size="sm" onPress={trySample}>
                  {t('speak.trySample')}
                </Button>
              )}
              <Button
                size="sm"
                onPress={() => {
                  void navigator.clipboard.writeText(line).then(() => {
                    showToast({ text: t('speak.copied') });
                  });
                }}
              >
                {t('speak.copyLine')}
              </Button>
            </>
          }
        >
          {t('speak.noSpeechText')} <code className={css['line']}>{line}</code>
        </Banner>
      )}
      {stayed !== null && (
        <FailureNotice
          failure={stayed}
          title={t(isUnsaved ? 'speak.stayed.notSaved' : 'speak.stayed.notOpened')}
          about={t(isUnsaved ? 'speak.stayed.notSavedText' : 'speak.stayed.notOpenedText')}
          {...(isUnsaved && { onRetry: () => void store.save() })}
        />
      )}
      {foreign}
      {overlong}
      {stopped !== null && (
        <FailureNotice
          failure={stopped}
          {...(failedAt >= 0 && { about: t('speak.failedCount', { count: failedCount }) })}
          onRetry={() =>
            store.speak(Math.max(0, failedAt), {
              sendsAgain: stopped.row === 'E-041',
              count: stopped.scope === 'item' ? 1 : Infinity,
            })
          }
        />
      )}
    </div>
  );
}

/** Asks once whether words of another language should be read in it, before they are paid for. */
function useForeign() {
  const t = useText();
  const { store } = useSpeaking();
  const { data } = useVoices();
  const document = useSpeakState((state) => state.document);
  const recent = useSpeakState((state) => state.marks.recent);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const found = useMemo(
    () => (document === null ? [] : foreignBlocks(document.blocks, document.defaults.language)),
    [document],
  );
  if (document === null) return null;
  const keyOf = (language: SpeechLanguage) => `${document.id} ${document.defaults.language} ${language}`;
  const asked = found.find(({ language }) => !left.has(keyOf(language)));
  if (asked === undefined) return null;
  const { language, ids, isWhole } = asked;
  const fitting = (data?.voices ?? []).filter(({ languages }) => languages.includes(language));
  const voice = fitting.find(({ id }) => recent.includes(id)) ?? fitting[0];
  const isSet = document.defaults.otherVoices[language];
  return (
    <Banner
      tone="warn"
      icon={Languages}
      title={t(isWhole ? `speak.foreign.whole.${language}` : `speak.foreign.some.${language}`, { count: ids.length })}
      actions={
        <>
          <Button size="sm" onPress={() => setLeft(new Set([...left, keyOf(language)]))}>
            {t('speak.foreign.leave')}
          </Button>
          <Button
            size="sm"
            variant="primary"
            isDisabled={voice === undefined}
            onPress={() => {
              if (voice === undefined) return;
              if (isWhole) store.setDefaults({ language, voiceId: voice.id });
              else store.setOtherVoice(language, isSet ?? voice.id);
            }}
          >
            {t('speak.foreign.use', { name: data?.voices.find(({ id }) => id === isSet)?.name ?? voice?.name ?? '' })}
          </Button>
        </>
      }
    >
      {t(voice === undefined ? 'speak.foreign.noVoice' : `speak.foreign.reads.${document.defaults.language}`)}
    </Banner>
  );
}

/** Sentences of subtitles that are longer than their time, and what speaking them faster costs. */
function useOverlong() {
  const t = useText();
  const { store } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const states = useBlocks();
  const found = (document?.blocks ?? []).flatMap((block, index) => {
    const overMs = overlongMs(block, states[index]?.status ?? null);
    return overMs > 0 && !block.isLocked ? [{ block, overMs, take: states[index]?.status.take ?? null }] : [];
  });
  if (found.length === 0) return null;
  const isFastest = found.every(({ take }) => take !== null && take.speed >= 2);
  return (
    <Banner
      tone="warn"
      icon={Timer}
      title={t('speak.slots.overlong', { count: found.length })}
      actions={
        isFastest ? undefined : (
          <Button size="sm" onPress={() => store.fitToTimes()}>
            {t('speak.slots.fit')}
          </Button>
        )
      }
    >
      {t(isFastest ? 'speak.slots.shorten' : 'speak.slots.fitHint')}
    </Banner>
  );
}

export function NotOpened() {
  const t = useText();
  const { store } = useSpeaking();
  const failure = useSpeakState((state) => state.failure);
  if (failure === null) return null;
  return (
    <div className={css['notices']}>
      <FailureNotice failure={failure} title={t('speak.loadFailed')} onRetry={() => void store.load()} />
    </div>
  );
}

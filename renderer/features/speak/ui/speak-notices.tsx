import { BookA, CircleAlert, FileAudio, Languages, Terminal, Timer } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import { foreignBlocks } from '../../../../shared/domain/speech/blocks.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { useIsolateRecordings, useTakeRecordings } from '../../../parts/files/use-file-drop.ts';
import { useCopy } from '../../../ui/notices.ts';
import { FailureNotice } from './failure-notice.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { isDoubtful, overlongMs } from '../model/block-status.ts';
import { useBlocks } from '../use-cost.ts';
import { useSampleText } from './text-pane.tsx';
import { useReachedAgain, useVoices } from '../use-voices.ts';

const installLines = {
  linux: 'sudo apt install espeak-ng',
  darwin: 'brew install espeak-ng',
  win32: 'winget install eSpeak-NG.eSpeak-NG',
} as const;

export function Notices(props: { readonly dropped: readonly File[]; readonly onTaken: () => void }) {
  const { dropped, onTaken } = props;
  const t = useText();
  const copy = useCopy();
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
  const isLocal = modeOf(mode).origin === 'local';
  const cannotSpeak = modeOf(mode).isOnThisComputer && data?.canSpeak === false;
  const foreign = useForeign();
  const overlong = useOverlong();
  const lost = useLostReading();
  const voiceId = useSpeakState((state) => state.document?.defaults.voiceId ?? '');
  const isGone = data !== undefined && voiceId !== '' && data.voices.every(({ id }) => id !== voiceId);
  // Without a speech program every sentence fails, for the reason that is shown already.
  const failedAt = cannotSpeak ? -1 : states.findIndex(({ status }) => status.state === 'failed');
  const failedCount = states.filter(({ status }) => status.state === 'failed').length;
  const stopped = orderFailure ?? states[failedAt]?.status.failure ?? null;
  useReachedAgain(stopped !== null && isUnsentForNow(stopped), store.forgetUnsent);
  const recordings = useDropped(dropped, onTaken);
  const lacksKey = useLacksKey();
  const hasMore = [recordings, stopped, stayed, foreign, lost, overlong].some((notice) => notice !== null);
  if (!cannotSpeak && !lacksKey && !isGone && !hasMore) return null;
  return (
    <div className={css['notices']}>
      {lacksKey && <NoKeyNotice />}
      {isGone && <Banner tone="warn" icon={CircleAlert} title={t('speak.voices.gone')} />}
      {cannotSpeak && (
        <Banner
          tone="warn"
          icon={Terminal}
          title={t(isLocal ? 'speak.noSpeechHere' : 'speak.noSpeech')}
          actions={
            <>
              {!isEmpty && !isLocal && (
                <Button size="sm" onPress={trySample}>
                  {t('speak.trySample')}
                </Button>
              )}
              <Button size="sm" onPress={() => void copy(line)}>
                {t('speak.copyLine')}
              </Button>
            </>
          }
        >
          {t(isLocal ? 'speak.noSpeechHereText' : 'speak.noSpeechText')} <code className={css['line']}>{line}</code>
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
      {recordings}
      {foreign}
      {lost}
      {overlong}
      {stopped !== null && (
        <FailureNotice
          failure={stopped}
          {...(failedAt >= 0 && { about: t('speak.failedCount', { count: failedCount }) })}
          onRetry={() =>
            store.speak(Math.max(0, failedAt), {
              sendsAgain: isDoubtful({ failure: stopped }),
              count: stopped.scope === 'item' ? 1 : Infinity,
            })
          }
        />
      )}
    </div>
  );
}

/** Says what can be done with recordings here: each of them is taken by the section that is chosen. */
function useDropped(files: readonly File[], onTaken: () => void) {
  const t = useText();
  const transcribe = useTakeRecordings();
  const isolate = useIsolateRecordings();
  if (files.length === 0) return null;
  const take = (by: (files: readonly File[]) => void) => () => {
    onTaken();
    by(files);
  };
  return (
    <Banner
      icon={FileAudio}
      title={t('speak.droppedRecording')}
      actions={
        <>
          <Button size="sm" variant="ghost" onPress={onTaken}>
            {t('speak.cancel')}
          </Button>
          <Button size="sm" onPress={take(isolate)}>
            {t('speak.isolateIt')}
          </Button>
          <Button size="sm" variant="primary" onPress={take(transcribe)}>
            {t('speak.transcribeIt')}
          </Button>
        </>
      }
    >
      {files.length === 1 ? files[0]?.name : t('speak.recordings', { count: files.length })}
    </Banner>
  );
}

/** Asks once which voice reads words of another language, before they are paid for; what needs the answer waits. */
function useForeign() {
  const t = useText();
  const { store } = useSpeaking();
  const { data } = useVoices();
  const document = useSpeakState((state) => state.document);
  const recent = useSpeakState((state) => state.marks.recent);
  const held = useSpeakState((state) => state.held);
  const found = useMemo(() => (document === null ? [] : foreignBlocks(document.blocks, document.defaults)), [document]);
  const question = useRef<HTMLElement>(null);
  // Not one of its buttons: the key that was pressed must not answer it.
  useEffect(() => {
    if (held !== null) question.current?.focus();
  }, [held]);
  const [asked] = found;
  if (document === null || asked === undefined) return null;
  const { language, ids, isWhole } = asked;
  const { voiceId, otherVoices, language: own } = document.defaults;
  const fitting = (data?.voices ?? []).filter(({ languages }) => languages.includes(language));
  const voice =
    [otherVoices[language], voiceId, ...recent].flatMap((id) => fitting.find((one) => one.id === id) ?? [])[0] ??
    fitting[0];
  const title = t(isWhole ? `speak.foreign.whole.${language}` : `speak.foreign.some.${language}`, {
    count: ids.length,
  });
  return (
    <section ref={question} aria-label={title} tabIndex={-1} className={css['question']}>
      <Banner
        tone="warn"
        icon={Languages}
        title={title}
        actions={
          <>
            <Button size="sm" onPress={() => store.answerLanguage(language, '')}>
              {t('speak.foreign.leave')}
            </Button>
            <Button
              size="sm"
              isDisabled={voice === undefined}
              onPress={() => {
                if (voice !== undefined) store.answerLanguage(language, voice.id, isWhole);
              }}
            >
              {t('speak.foreign.use', { name: voice?.name ?? '' })}
            </Button>
          </>
        }
      >
        {t(voice === undefined ? 'speak.foreign.noVoice' : `speak.foreign.reads.${own}`)}
        {held !== null && ` ${t('speak.foreign.held')}`}
      </Banner>
    </section>
  );
}

function useLostReading() {
  const t = useText();
  const { store } = useSpeaking();
  const lost = useSpeakState((state) => state.lostReading);
  const at = useSpeakState(({ document }) => document?.blocks.findIndex(({ id }) => id === lost?.blockId) ?? -1);
  const isGone = useSpeakState(({ document }) => document?.blocks[at]?.readAs === null);
  if (lost === null || !isGone) return null;
  return (
    <Banner
      tone="warn"
      icon={BookA}
      title={t('speak.lostReading.title', { number: at + 1 })}
      actions={
        <>
          <Button size="sm" variant="ghost" onPress={() => store.answerLostReading(false)}>
            {t('speak.lostReading.leave')}
          </Button>
          <Button size="sm" onPress={() => store.answerLostReading(true)}>
            {t('speak.lostReading.keep')}
          </Button>
        </>
      }
    >
      {lost.readAs}
    </Banner>
  );
}

function useOverlong() {
  const t = useText();
  const { store } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const states = useBlocks();
  const found = (document?.blocks ?? []).flatMap((block, index) => {
    const overMs = overlongMs(block, states[index]?.status ?? null);
    return overMs > 0 && !block.isLocked ? [states[index]?.status] : [];
  });
  if (found.length === 0) return null;
  const isFastest = found.every((status) => (status?.take?.speed ?? 1) * (status?.tempo ?? 1) >= 2);
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

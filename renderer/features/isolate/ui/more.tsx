import { AudioLines, Captions, Replace, Scan, SlidersHorizontal, TextSearch, Undo2 } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useAboutCredits, useFormats, useText } from '../../../lib/text.ts';
import { useUndoKey } from '../../../lib/use-undo-key.ts';
import { useJobList } from '../../../parts/jobs/jobs-context.ts';
import { nextIsolations } from '../../../parts/jobs/jobs-store.ts';
import { Button } from '../../../ui/button.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { Popover } from '../../../ui/popover.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-provider.tsx';
import css from './more.module.css';
import { PlaceDialog } from './part-of-recording.tsx';
import { mixFormats, SaveButton, type Save } from './save.tsx';
import type { ComparedTexts } from './texts.tsx';
import { useMeasuredWords, type Comparison } from './use-comparison.ts';
import { useCostWords } from './use-cost-words.ts';

export function More(props: {
  readonly audio: IsolatedAudio;
  readonly comparison: Comparison | null;
  readonly texts: ComparedTexts;
  /** Offered here where ordering the whole recording comes first. */
  readonly save: Save | null;
  readonly onChanged: () => void;
}) {
  const { audio, comparison, texts, save, onChanged } = props;
  const t = useText();
  const measured = useMeasuredWords(comparison);
  const swap = useSwap(audio.audioId, onChanged);
  const { isolatedFormat, speechLanguage } = useSettings();
  const change = useSettingsChange();
  const [isOpen, setOpen] = useState(false);
  const [isPlacing, setPlacing] = useState(false);
  const { part } = audio;
  return (
    <>
      <Popover
        label={t('isolate.more')}
        className={css['more']}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button variant="ghost" icon={SlidersHorizontal}>
            {t('isolate.more')}
          </Button>
        }
      >
        {(save !== null || part?.wholeUrl != null) && (
          <div className="flow gap-8">
            {save && <SaveButton save={save} isQuiet />}
            {part?.wholeUrl != null && part.wholeMs !== null && (
              <Button
                icon={Scan}
                onPress={() => {
                  setOpen(false);
                  setPlacing(true);
                }}
              >
                {t('isolate.place.open')}
              </Button>
            )}
          </div>
        )}
        <Restoration audio={audio} comparison={comparison} />
        {comparison !== null && (
          <>
            <Switch
              label={t('isolate.compare.match')}
              isOn={comparison.isMatched}
              isDisabled={comparison.pair.measures === null}
              onChange={comparison.setIsMatched}
            />
            <Switch
              label={t('isolate.compare.spectrogram')}
              isOn={comparison.view === 'spectrogram'}
              onChange={(isOn) => comparison.setView(isOn ? 'spectrogram' : 'waveform')}
            />
          </>
        )}
        <div className={css['choices']}>
          <Select
            label={t('isolate.results.format')}
            value={isolatedFormat}
            options={mixFormats.map((value) => ({ value, text: value.toUpperCase() }))}
            onChange={(value) => void change({ isolatedFormat: value })}
          />
          <Select
            label={t('isolate.spokenLanguage')}
            value={speechLanguage}
            options={speechLanguages.map((value) => ({ value, text: t(`common.languageNames.${value}`) }))}
            onChange={(value) => void change({ speechLanguage: value })}
          />
        </div>
        <OfText audio={audio} texts={texts} onDone={() => setOpen(false)} />
        {audio.transcripts.map((transcript) => {
          const { transcriptId, title, usesThis } = transcript;
          return (
            <div key={transcriptId} className={css['row']}>
              <span className="cut" title={title}>
                {title}
              </span>
              <Button
                size="sm"
                icon={usesThis ? Undo2 : Replace}
                label={t(`isolate.inTranscript.${usesThis ? 'backFor' : 'useFor'}`, { title })}
                onPress={() => {
                  setOpen(false);
                  void swap(transcript, usesThis ? null : audio.audioId);
                }}
              >
                {t(`isolate.inTranscript.${usesThis ? 'back' : 'use'}`)}
              </Button>
            </div>
          );
        })}
        {measured.length > 0 && <p className={css['hint']}>{measured.join(' · ')}</p>}
      </Popover>
      {isPlacing && part?.wholeUrl != null && part.wholeMs !== null && (
        <PlaceDialog
          audioId={audio.audioId}
          url={part.wholeUrl}
          wholeMs={part.wholeMs}
          startMs={part.startMs}
          onClose={() => setPlacing(false)}
        />
      )}
    </>
  );
}

/** Text of the isolated audio; of an excerpt also of the original, to see whether isolating helps. */
function OfText(props: { readonly audio: IsolatedAudio; readonly texts: ComparedTexts; readonly onDone: () => void }) {
  const { audio, texts, onDone } = props;
  const t = useText();
  const formats = useFormats();
  const { mode, includeSpeakers } = useSettings();
  const { isFree } = modeOf(mode);
  const { transcribeIsolated } = useJobList();
  const { durationMs } = audio;
  const rate = useCreditRate(includeSpeakers);
  const aboutCredits = useAboutCredits();
  const credits = durationMs === null ? null : expectedCredits([{ durationMs, sizeBytes: 0 }], rate);
  return (
    <>
      <div className="flow gap-8">
        <Button icon={Captions} onPress={() => void transcribeIsolated(audio.audioId, audio.title)}>
          {t('isolate.transcribe')}
        </Button>
        {texts.isOffered && (
          <Button
            icon={TextSearch}
            isLoading={texts.isPending}
            isDisabled={texts.compare === null}
            onPress={() => {
              texts.compare?.();
              onDone();
            }}
          >
            {t('isolate.texts.compare')}
          </Button>
        )}
      </div>
      {!isFree && (
        <p className={css['hint']}>
          {t('isolate.transcribeCost', { time: formats.duration(audio.durationMs ?? 0) })}{' '}
          {credits !== null && `${t('transcribe.cost.expected')}: ${aboutCredits(credits)}.`}{' '}
          {texts.isOffered && !texts.isKnown && t('isolate.texts.cost')}
        </p>
      )}
    </>
  );
}

/** Between the two results, once both are there; until then the other one is an order with its price. */
function Restoration({ audio, comparison }: { readonly audio: IsolatedAudio; readonly comparison: Comparison | null }) {
  const t = useText();
  if (audio.variant === null) return <AddVariant audio={audio} />;
  if (comparison === null) return null;
  const { isRestored, cleaned, setListening } = comparison;
  const restored = isRestored ? 'isolated' : 'variant';
  return (
    <Switch
      label={t('isolate.next.restore')}
      isOn={cleaned === restored}
      onChange={() => setListening({ tag: cleaned === 'isolated' ? 'variant' : 'isolated' })}
    />
  );
}

type Transcript = IsolatedAudio['transcripts'][number];

/** Lets a transcript play the isolated audio, or its recording again. */
function useSwap(audioId: string, onChanged: () => void) {
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  /** What Ctrl+Z undoes: the last change here, with the notice that says so. */
  const [last, setLast] = useState<{ readonly undo: () => void; readonly hideNotice: () => void } | null>(null);
  /** Null puts the recording back. What was played before may be other isolated audio. */
  const change = async ({ transcriptId, title }: Transcript, wantedId: string | null, isUndo = false) => {
    setLast(null);
    const done =
      wantedId === null
        ? await store.ask('isolation.useOriginal', { transcriptId })
        : await store.ask('isolation.useAsRecording', { audioId: wantedId, transcriptId });
    if (done === null) return;
    await queries.invalidateQueries({ queryKey: ['transcript', transcriptId] });
    onChanged();
    const notice = {
      icon: AudioLines,
      text: t(wantedId === null ? 'isolate.inTranscript.undone' : 'isolate.inTranscript.used', { title }),
    };
    if (isUndo) {
      const onPress = () => navigate(`/transcripts/${encodeURIComponent(transcriptId)}`);
      showToast({ ...notice, action: { text: t('isolate.inTranscript.open'), onPress } });
      return;
    }
    const formerId = 'formerAudioId' in done ? done.formerAudioId : audioId;
    const undo = () => void change({ transcriptId, title, usesThis: false }, formerId, true);
    setLast({ undo, hideNotice: showUndo({ ...notice, undo }) });
  };
  useUndoKey(
    last &&
      (() => {
        last.hideNotice();
        last.undo();
      }),
  );
  return change;
}

function AddVariant({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const store = useIsolate();
  const { restorationModel } = nextIsolations(useSettings());
  const costWords = useCostWords();
  const showToast = useToast();
  /** What was sent already: a second press must not pay for it again. */
  const [sentFor, setSentFor] = useState<string | null>(null);
  const add = async () => {
    setSentFor(audio.audioId);
    const wanted = { audioId: audio.audioId, ...(restorationModel !== undefined && { restorationModel }) };
    const added = store.goToListed(await store.ask('isolation.addVariant', wanted));
    if (added?.jobId != null) showToast({ text: t('isolate.variant.added') });
    else setSentFor(null);
  };
  const cost = costWords([{ durationMs: audio.durationMs ?? 0, sizeBytes: 0 }]);
  return (
    <div className={css['row']}>
      <span>
        {t(`isolate.variant.${audio.restoresSpeech ? 'without' : 'with'}`)}
        <span className={css['hint']}>{t('isolate.variant.cost', { cost })}</span>
      </span>
      <Button size="sm" isLoading={sentFor === audio.audioId} onPress={() => void add()}>
        {t('isolate.variant.add')}
      </Button>
    </div>
  );
}
